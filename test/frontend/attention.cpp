//===- attention.cpp - The clauses of an attention -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-attention | xf-opt | FileCheck %s

#include "frontend/Show.h"

using namespace xf;

static Program program("attention");
static const TensorSpec q{"q", f32, {2, 4, 8, 16}}, k{"k", f32, {2, 2, 32, 16}}, v{"v", f32, {2, 1, 32, 5}};

static void operands() {
  // Fewer heads of keys and values, fewer queries than keys, values of another size.
  // CHECK-LABEL: @grouped
  // CHECK: -> tensor<2x4x8x5xf32>
  program.entry("grouped", {q, k, v},
                [](Tensor q, Tensor k, Tensor v) { return scaled_dot_product_attention(q, k, v); });
  // CHECK-LABEL: @scaled
  // CHECK: pattern(#xf.causal) scale 2.5
  program.entry("scaled", {q, k, v}, [](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = causal(), .scale = 0.25});
  });
  // CHECK-LABEL: @lse
  // CHECK: -> (tensor<2x4x8x5xf32>, tensor<2x4x8xf32>)
  program.entry("lse", {q, k, v}, [](Tensor q, Tensor k, Tensor v) {
    auto [o, lse] = attention_with_lse(q, k, v);
    return Results{{"o", o}, {"lse", lse}};
  });
  // CHECK-LABEL: @padded
  // CHECK-SAME: %[[N:[a-z0-9]+]]: tensor<2xi64> {xf.name = "n", xf.range = array<i64: 0, 32>}, %[[M:[a-z0-9]+]]: tensor<2xi64> {xf.name = "m", xf.range = array<i64: 0, 8>}
  // CHECK: lengths(%[[N]] : tensor<2xi64>) query_lengths(%[[M]] : tensor<2xi64>)
  program.entry("padded", {q, k, v, {"n", i64, {2}}, {"m", i64, {2}}},
                [](Tensor q, Tensor k, Tensor v, Tensor n, Tensor m) {
                  return scaled_dot_product_attention(q, k, v, {.lengths = n, .query_lengths = m});
                });
  // CHECK-LABEL: @packed
  // CHECK: pattern(#xf.segments) segments(%{{.*}}, %{{.*}} : tensor<2x8xi32>, tensor<2x32xi32>)
  program.entry("packed", {q, k, v, {"sq", i32, {2, 8}}, {"sk", i32, {2, 32}}},
                [](Tensor q, Tensor k, Tensor v, Tensor sq, Tensor sk) {
                  return scaled_dot_product_attention(
                      q, k, v, {.pattern = segments(), .query_segments = sq, .key_segments = sk});
                });
  // CHECK-LABEL: @projected
  // CHECK: pattern(#xf.low_rank<rank = 3>) params(%{{.*}} : tensor<40x3xf32>)
  program.entry("projected", {q, k, v, {"e", f32, {40, 3}}}, [](Tensor q, Tensor k, Tensor v, Tensor e) {
    return scaled_dot_product_attention(q, k, v, {.pattern = low_rank({.rank = 3}), .parameters = {e}});
  });
}

int main() {
  operands();
  // CHECK-LABEL: @weighted
  // CHECK: decay(%{{.*}} : tensor<2x4x32xf32>) beta(%{{.*}} : tensor<2x4x32xf32>)
  TensorSpec a{"a", f32, {2, 4, 32}}, t{"t", f32, {4, 63}};
  Kernelized elu{.feature = Feature::elu, .of = causal()};
  program.entry("weighted", {q, k, v, a}, [&](Tensor q, Tensor k, Tensor v, Tensor a) {
    return scaled_dot_product_attention(q, k, v, {.pattern = kernelized(elu), .decay = a, .beta = a});
  });
  // CHECK-LABEL: @distances
  // CHECK: relative(%{{.*}} : tensor<4x63xf32>)
  program.entry("distances", {q, k, v, t}, [&](Tensor q, Tensor k, Tensor v, Tensor t) {
    return scaled_dot_product_attention(q, k, v, {.pattern = kernelized(elu), .relative = t});
  });
  // Constants are made inside; what comes from outside is captured, once.
  // CHECK-LABEL: @mapped
  // CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<6x16xf32> {xf.name = "w"}
  // CHECK: %[[TWICE:.*]] = xf.mul %[[W]]
  // CHECK: pattern(#xf.kernelized<feature = identity>) feature(%[[ROW:.*]] : tensor<16xf32>) captures(%[[C:.*]] = %[[TWICE]] : tensor<6x16xf32>) {
  // CHECK: %[[U:.*]] = xf.linear %[[ROW]], %[[C]]
  // CHECK: xf.softmax
  // CHECK: xf.yield %{{.*}} : tensor<6xf32>
  program.entry("mapped", {q, k, v, {"w", f32, {6, 16}}}, [](Tensor q, Tensor k, Tensor v, Tensor w) {
    Tensor twice = w * 2;
    auto feature = [&](const Tensor &row) { return softmax(linear(row, twice)) + linear(row, twice) * 0.5; };
    return scaled_dot_product_attention(q, k, v,
                                        {.pattern = kernelized({.feature = Feature::identity}), .feature = feature});
  });
  // CHECK-LABEL: @dropped
  // CHECK: dropout(1.0{{.*}}e-01, %{{.*}} : tensor<2xi64>)
  program.entry("dropped", {q, k, v, {"seed", i64, {2}}}, [](Tensor q, Tensor k, Tensor v, Tensor seed) {
    return scaled_dot_product_attention(q, k, v, {.dropout = 0.1, .seed = seed});
  });
  std::fputs(program.str().c_str(), stdout);
}
