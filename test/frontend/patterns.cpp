//===- patterns.cpp - Pattern values as attributes -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-patterns > %t.mlir
// RUN: xf-opt %t.mlir > %t.verified.mlir
// RUN: FileCheck %s --input-file %t.verified.mlir

#include "frontend/Show.h"

using namespace xf;

static Program program("patterns");

static void attend(const std::string &name, const Pattern &pattern) {
  TensorSpec x{"x", f32, {1, 2, 64, 8}};
  program.entry(name, {x}, [&](Tensor x) { return scaled_dot_product_attention(x, x, x, {.pattern = pattern}); });
}

static void families() {
  // CHECK-LABEL: @dense
  // CHECK: pattern(#xf.dense)
  attend("dense", dense());
  // CHECK-LABEL: @causal
  // CHECK: pattern(#xf.causal)
  attend("causal", causal());
  // CHECK-LABEL: @window
  // CHECK: pattern(#xf.window<left = 7, right = 3>)
  attend("window", window(7, 3));
  // CHECK-LABEL: @open_window
  // CHECK: pattern(#xf.window<left = unbounded, right = -4>)
  attend("open_window", window(unbounded, -4));
  // CHECK-LABEL: @dilated
  // CHECK: pattern(#xf.dilated<left = 12, step = 4>)
  attend("dilated", dilated({.left = 12, .step = 4}));
  // CHECK-LABEL: @strided
  // CHECK: pattern(#xf.strided<stride = 8>)
  attend("strided", strided(8));
  // CHECK-LABEL: @strided_parts
  // CHECK: pattern(#xf.heads<[#xf.strided<stride = 8, part = local>, #xf.strided<stride = 8, part = column>]>)
  attend("strided_parts", heads({strided(8).local(), strided(8).column()}));
  // CHECK-LABEL: @fixed_slot
  // CHECK: pattern(#xf.fixed<block = 8, summary = 2, part = column, slot = 1>)
  attend("fixed_slot", fixed(8, 2).slot(1).column());
  // CHECK-LABEL: @block_global
  // CHECK: pattern(#xf.block<size = 16, of = #xf.global<[0, -1]>>)
  attend("block_global", block(16, global({0, -1})));
  // CHECK-LABEL: @prefix
  // CHECK: pattern(#xf.prefix<length = 10>)
  attend("prefix", prefix(10));
  // CHECK-LABEL: @keys
  // CHECK: pattern(#xf.intersection<[#xf.keys<[0 : 1, 6 : 8], mod = 8>, #xf.queries<[4 : 64]>]>)
  attend("keys", keys({{0, 1}, {6, 8}}, 8) & queries({{4, 64}}));
  // CHECK-LABEL: @bigbird
  // CHECK: pattern(#xf.bigbird<block = 16, random = 2, seed = 7>)
  attend("bigbird", bigbird({.block = 16, .random = 2, .seed = 7}));
  // CHECK-LABEL: @random
  // CHECK: pattern(#xf.random<count = 3, seed = 1, outside = #xf.causal>)
  attend("random", random(3, 1, causal()));
}

static void algebra() {
  // A union of three is one union; a difference keeps two members.
  // CHECK-LABEL: @three
  // CHECK: pattern(#xf.union<[#xf.causal, #xf.window<left = 2>, #xf.strided<stride = 8>]>)
  attend("three", causal() | window(2) | strided(8));
  // CHECK-LABEL: @differences
  // CHECK: pattern(#xf.difference<[#xf.difference<[#xf.dense, #xf.causal]>, #xf.window<left = 2>]>)
  attend("differences", dense() - causal() - window(2));
}

static void lambdas() {
  // A lambda of one conjunction is one set.
  // CHECK-LABEL: @comb
  // CHECK: pattern(#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>)
  attend("comb", pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; }));
  // `||` is a union, also under `&&`.
  // CHECK-LABEL: @either
  // CHECK: pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, -(i - j) + 5 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, j mod 8 - 6 ge 0)>]>)
  attend("either", pattern([](Index i, Index j) { return j <= i && (i - j <= 5 || j % 8 >= 6); }));
  // `!` turns comparisons round; `!=` is two strict ones.
  // CHECK-LABEL: @negated
  // CHECK: pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (i - j - 1 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 1 ge 0)>]>)
  attend("negated", pattern([](Index i, Index j) { return !(i == j); }));
  // Strict comparisons of integers; quotients round down.
  // CHECK-LABEL: @blocks
  // CHECK: pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv 4 - j floordiv 4 - 1 ge 0)>)
  attend("blocks", pattern([](Index i, Index j) { return i / 4 > j / 4; }));
}

static void grids() {
  // CHECK-LABEL: @near
  // CHECK: pattern(#xf.window_nd<extents = [8, 8], radius = [1, 2], clamp = true>)
  attend("near", window_nd({.extents = {8, 8}, .radius = {1, 2}, .clamp = true}));
  // CHECK-LABEL: @axial
  // CHECK: pattern(#xf.intersection<[#xf.lift<extents = [8, 8], axis = 0, of = #xf.causal>, #xf.lift<extents = [8, 8], axis = 1, of = #xf.window<left = 0>>]>)
  attend("axial",
         lift({.extents = {8, 8}, .axis = 0, .of = causal()}) & lift({.extents = {8, 8}, .axis = 1, .of = window(0)}));
  // CHECK-LABEL: @shifted
  // CHECK: pattern(#xf.swin<extents = [8, 8], window = [4, 4], shift = [2, 2]>)
  attend("shifted", swin({.extents = {8, 8}, .window = {4, 4}, .shift = {2, 2}}));
  // CHECK-LABEL: @backwards
  // CHECK: pattern(#xf.permute<[63, 62, 61, {{.*}}, 1, 0], of = #xf.causal>)
  std::vector<int64_t> order;
  for (int64_t n = 63; n >= 0; --n)
    order.push_back(n);
  attend("backwards", permute(order, causal()));
}

static void operands() {
  // CHECK-LABEL: @listed
  // CHECK: pattern(#xf.table<block = 16>) table(%{{.*}}, %{{.*}} : tensor<5xi32>, tensor<7xi32>)
  // CHECK: pattern(#xf.segments<relation = {{\[}}[1, 0], [1, 1]]>) segments(
  TensorSpec x{"x", f32, {1, 2, 64, 8}}, offsets{"offsets", i32, {5}}, columns{"columns", i32, {7}},
      ids{"ids", i32, {1, 64}};
  program.entry("listed", {x, offsets, columns, ids}, [](Tensor x, Tensor offsets, Tensor columns, Tensor ids) {
    AttentionOptions lists{.pattern = table(16), .table_offsets = offsets, .table_columns = columns};
    Tensor y = scaled_dot_product_attention(x, x, x, lists);
    AttentionOptions related{
        .pattern = segments({{true, false}, {true, true}}), .query_segments = ids, .key_segments = ids};
    return scaled_dot_product_attention(y, y, y, related);
  });

  // Blocks that the program selects for each query of each head: the keys of a block are as near as their mean.
  // CHECK-LABEL: @selected
  // CHECK: %[[VALUES:.*]], %[[INDICES:.*]] = xf.top_k
  // CHECK: pattern(#xf.table<block = 1, columns = 16>) table(%[[INDICES]] : tensor<1x2x64x2xi64>)
  program.entry("selected", {x}, [](Tensor x) {
    Tensor means = mean(reshape(x, {1, 2, 4, 16, 8}), 3);
    AttentionOptions nearest{.pattern = table(1, 16),
                             .table_columns = topk(matmul(x, transpose(means, 2, 3)), 2).indices};
    return scaled_dot_product_attention(x, x, x, nearest);
  });

  // Chosen for every call, every batch entry, every head.
  // CHECK-LABEL: @symbols
  // CHECK: pattern(#xf.prefix) symbols(%{{.*}} : tensor<i64>)
  // CHECK: pattern(#xf.affine<(i, j)[Nq, Nk, [[W:.*]], [[P:.*]]] : (i - j ge 0, -(i - j) + [[W]] ge 0, j - [[P]] ge 0)>) symbols(%{{.*}}, %{{.*}} : tensor<1xi64>, tensor<1x2xi32>)
  TensorSpec all{"all", i64, {}}, perBatch{"per_batch", i64, {1}}, perHead{"per_head", i32, {1, 2}};
  program.entry("symbols", {x, all, perBatch, perHead}, [](Tensor x, Tensor all, Tensor perBatch, Tensor perHead) {
    Tensor y = scaled_dot_product_attention(x, x, x, {.pattern = prefix(), .symbols = {all}});
    Pattern near = pattern([](Index i, Index j) { return j <= i && i - j <= symbol() && j >= symbol(1); });
    return scaled_dot_product_attention(y, y, y, {.pattern = near, .symbols = {perBatch, perHead}});
  });
}

int main() {
  families();
  algebra();
  lambdas();
  grids();
  operands();
  // CHECK-LABEL: @features
  // CHECK: pattern(#xf.kernelized<feature = elu, of = #xf.causal>)
  attend("features", kernelized({.feature = Feature::elu, .of = causal()}));
  // CHECK-LABEL: @grid
  // CHECK: pattern(#xf.grid<layers = 4, of = #xf.causal, granularity = position>)
  attend("grid", grid({.layers = 4, .of = causal(), .granularity = Granularity::position}));
  std::fputs(program.str().c_str(), stdout);
}
