//===- scores.cpp - Score functions as regions -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-scores | xf-opt | FileCheck %s

#include "frontend/Show.h"

#include <limits>

using namespace xf;

static Program program("scores");

static void attend(const std::string &name, const std::function<Scalar(Score)> &score, Dtype dtype = f32) {
  TensorSpec x{"x", dtype, {1, 2, 8, 4}};
  program.entry(name, {x}, [&](Tensor x) { return scaled_dot_product_attention(x, x, x, {.score = score}); });
}

static void indices() {
  // CHECK-LABEL: @soft_cap
  // CHECK: score(%[[S:.*]] : f32, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {
  // CHECK: %[[SMALL:.*]] = arith.divf %[[S]], %{{.*}} : f32
  // CHECK: %[[TANH:.*]] = math.tanh %[[SMALL]]
  // CHECK: %[[CAPPED:.*]] = arith.mulf %[[TANH]], %{{.*}}
  // CHECK: xf.yield %[[CAPPED]]
  attend("soft_cap", [](Score s) { return tanh(s.value / 30) * 30; });

  // An index beside a score is a real number; integers stay integers until then.
  // CHECK-LABEL: @alibi
  // CHECK: score(%[[S:.*]] : f32, %{{.*}}, %{{.*}}, %[[I:.*]], %[[J:.*]]) {
  // CHECK: %[[D:.*]] = arith.subi %[[I]], %[[J]] : index
  // CHECK: %[[D64:.*]] = arith.index_cast %[[D]] : index to i64
  // CHECK: %[[REAL:.*]] = arith.sitofp %[[D64]] : i64 to f32
  // CHECK: %[[BIAS:.*]] = arith.mulf %[[REAL]], %{{.*}}
  // CHECK: arith.subf %[[S]], %[[BIAS]]
  attend("alibi", [](Score s) { return s.value - (s.i - s.j) * 0.5; });

  // Scores of 16-bit tensors are f32.
  // CHECK-LABEL: @half
  // CHECK: score(%{{.*}} : f32,
  attend("half", [](Score s) { return s.value * 2; }, bf16);

  // Remainders round down.
  // CHECK-LABEL: @remainder
  // CHECK: score(%{{.*}} : f32, %{{.*}}, %[[H:.*]], %[[I:.*]], %{{.*}}) {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK: %[[Q:.*]] = arith.floordivsi %[[I]], %[[TWO]]
  // CHECK: %[[QD:.*]] = arith.muli %[[Q]], %[[TWO]]
  // CHECK: %[[R:.*]] = arith.subi %[[I]], %[[QD]]
  // CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[R]], %[[H]]
  // CHECK: arith.select %[[EQUAL]]
  attend("remainder", [](Score s) { return where(s.i % 2 == s.h, s.value, -std::numeric_limits<double>::infinity()); });
}

static void functions() {
  // softplus, sigmoid and clamp are made of the others.
  // CHECK-LABEL: @functions
  // CHECK: math.rsqrt
  // CHECK: math.erf
  // CHECK: math.sin
  // CHECK: math.cos
  // CHECK: math.tan
  // CHECK: math.asin
  // CHECK: math.acos
  // CHECK: math.atan
  // CHECK: math.sinh
  // CHECK: math.cosh
  // CHECK: math.cbrt
  // CHECK: math.log2
  // CHECK: math.log10
  // CHECK: math.log1p
  // CHECK: math.expm1
  // CHECK: math.floor
  // CHECK: math.ceil
  // CHECK: math.roundeven
  // CHECK: math.atan2
  // CHECK: math.powf
  // CHECK: arith.minimumf
  // CHECK: math.exp
  // CHECK: math.log1p
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  attend("functions", [](Score s) {
    Scalar x = tan(cos(sin(erf(rsqrt(s.value)))));
    x = cbrt(cosh(sinh(atan(acos(asin(x))))));
    x = round(ceil(floor(expm1(log1p(log10(log2(x)))))));
    return sigmoid(clamp(softplus(pow(atan2(x, s.value), 2.0)), -1, 1));
  });
}

int main() {
  indices();
  functions();
  // A tensor that is read twice is captured once; 16-bit elements are widened.
  // CHECK-LABEL: @captured
  // CHECK-SAME: %[[TABLE:[a-z0-9]+]]: tensor<2x8xbf16>
  // CHECK: score(%{{.*}} : f32, %{{.*}}, %[[H:.*]], %[[I:.*]], %[[J:.*]]) captures(%[[T:.*]] = %[[TABLE]] : tensor<2x8xbf16>) {
  // CHECK-DAG: %[[A:.*]] = tensor.extract %[[T]][%[[H]], %[[I]]]
  // CHECK-DAG: arith.extf %[[A]] : bf16 to f32
  // CHECK-DAG: %[[B:.*]] = tensor.extract %[[T]][%[[H]], %[[J]]]
  // CHECK-DAG: arith.extf %[[B]] : bf16 to f32
  TensorSpec x{"x", bf16, {1, 2, 8, 4}}, table{"table", bf16, {2, 8}};
  program.entry("captured", {x, table}, [](Tensor x, Tensor table) {
    auto score = [&](Score s) { return s.value + table(s.h, s.i) + table(s.h, s.j); };
    return scaled_dot_product_attention(x, x, x, {.score = score});
  });
  std::fputs(program.str().c_str(), stdout);
}
