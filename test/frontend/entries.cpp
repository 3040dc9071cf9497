//===- entries.cpp - Arguments, results and their attributes -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-entries > %t.mlir
// RUN: xf-opt %t.mlir > %t.verified.mlir
// RUN: FileCheck %s --input-file %t.verified.mlir

#include "frontend/Show.h"

using namespace xf;

static Program program("entries");
static const TensorSpec x{"x", f32, {2, 4}}, y{"y", f32, {2, 4}};

static void functions() {
  // A single result without a name has the entry's.
  // CHECK-LABEL: func.func @sum(
  // CHECK-SAME: tensor<2x4xf32> {xf.name = "x"}, %{{.*}}: tensor<2x4xf32> {xf.name = "y"}) -> (tensor<2x4xf32> {xf.name = "sum"})
  program.entry("sum", {x, y}, [](Tensor a, Tensor b) { return a + b; });
  // CHECK-LABEL: func.func @named(
  // CHECK-SAME: -> (tensor<2x4xf32> {xf.name = "twice"}, tensor<f32> {xf.name = "total"}) attributes {xf.vjp}
  program.entry("named", {x}, [](Tensor a) { return Results{{"twice", a * 2}, {"total", sum(a)}}; }).vjp("named");
  // Any number of inputs; results without names are numbered.
  // CHECK-LABEL: func.func @numbered(
  // CHECK-SAME: {xf.name = "result0"}, tensor<2x4xf32> {xf.name = "result1"})
  program.entry("numbered", {x, y}, [](const std::vector<Tensor> &all) { return std::vector<Tensor>{all[1], all[0]}; });

  // Functions of the library, with and without others of their name.
  // CHECK-LABEL: func.func @relu(
  // CHECK: xf.relu
  // CHECK-LABEL: func.func @exp(
  // CHECK: xf.exp
  // CHECK-LABEL: func.func @gelu(
  // CHECK: xf.gelu %{{.*}} form  erf
  // CHECK-LABEL: func.func @rows(
  // CHECK: xf.softmax
  // CHECK-LABEL: func.func @product(
  // CHECK: xf.matmul
  program.entry("relu", {x}, relu).entry("exp", {x}, exp).entry("gelu", {x}, gelu).entry("rows", {x}, softmax);
  program.entry("product", {x, {"z", f32, {4, 3}}}, matmul);
}

int main() {
  functions();
  // Named dimensions and their ranges, also of results.
  // CHECK-LABEL: func.func @dynamic(
  // CHECK-SAME: tensor<?x?x8xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 64>, #xf.dim<name = "tokens", min = 0, max = 2147483647>], xf.name = "x"}
  // CHECK-SAME: -> (tensor<?x2x?x4xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 64>, #xf.dim<name = "tokens", min = 0, max = 2147483647>], xf.name = "dynamic"})
  Dim batch = dim("batch", {.min = 1, .max = 64}), tokens = dim("tokens");
  program.entry("dynamic", {{"x", f32, {batch, tokens, 8}}}, [](Tensor x) { return split_heads(x, 2); });

  // Integer inputs get the range that their use asks for.
  // CHECK-LABEL: func.func @ranges(
  // CHECK-SAME: {xf.name = "ids", xf.range = array<i64: 0, 9>}
  // CHECK-SAME: {xf.name = "targets", xf.range = array<i64: -100, 7>}
  program.entry("ranges", {{"table", f32, {10, 8}}, {"ids", i32, {3}}, {"targets", i64, {3}}},
                [](Tensor table, Tensor ids, Tensor targets) { return cross_entropy(embedding(table, ids), targets); });
  // Also inputs that are used in another shape, repeated, or in a wider type.
  // CHECK-LABEL: func.func @reshaped_ranges(
  // CHECK-SAME: {xf.name = "rows", xf.range = array<i64: 0, 4>}
  // CHECK-SAME: {xf.name = "ids", xf.range = array<i64: 0, 2>}
  program.entry("reshaped_ranges", {{"x", f32, {2, 5, 3}}, {"rows", i32, {3, 2}}, {"ids", i32, {4}}},
                [](Tensor x, Tensor rows, Tensor ids) {
                  Tensor wide = broadcast_to(cast(reshape(ids, {4, 1}), i64), {4, 6});
                  return sum(gather_rows(x, transpose(rows, {1, 0}))) + sum(one_hot(wide, 3));
                });

  // Parameters come after inputs, in the order of the model; only those that are used.
  // CHECK-LABEL: func.func @layer(
  // CHECK-SAME: {xf.name = "x"}, %{{.*}}: tensor<3x4xf32> {xf.name = "weight", xf.parameter = "weight"}, %{{.*}}: tensor<3xf32> {xf.name = "bias", xf.parameter = "bias"}) ->
  nn::Linear layer(4, 3);
  program.entry("layer", {x}, layer);
  // CHECK-LABEL: func.func @half_layer(
  // CHECK-SAME: {xf.name = "x"}, %{{.*}}: tensor<3xf32> {xf.name = "bias", xf.parameter = "bias"}) ->
  program.entry("half_layer", {{"x", f32, {3}}}, [&](Tensor x) { return x + layer.bias; });

  // A checkpoint captures what its region uses; constants are made inside.
  // CHECK-LABEL: func.func @checkpointed(
  // CHECK: xf.checkpoint (%[[B:.*]] = %{{.*}} : tensor<3xf32>, %[[X:.*]] = %{{.*}} : tensor<3xf32>) -> (tensor<3xf32>) {
  // CHECK: %[[TWO:.*]] = arith.constant
  // CHECK: %[[XX:.*]] = xf.mul %[[X]], %[[TWO]]
  // CHECK: xf.add %[[XX]], %[[B]]
  program.entry("checkpointed", {{"x", f32, {3}}}, [&](Tensor x) {
    Tensor e = exp(x);
    return checkpoint([&](Tensor y) { return y * 2 + layer.bias; }, e);
  });
  std::fputs(program.str().c_str(), stdout);
}
