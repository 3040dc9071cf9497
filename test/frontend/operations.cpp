//===- operations.cpp - Each function builds its operation -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-operations | xf-opt | FileCheck %s

#include "frontend/Show.h"

using namespace xf;

static Program program("operations");

template <typename F>
static void on(const std::string &name, const F &f, Dtype dtype = f32) {
  program.entry(name, {{"x", dtype, {2, 3, 4}}}, f);
}

static void elements() {
  // A number takes the element type of the tensor beside it.
  // CHECK-LABEL: @arithmetic
  // CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<f64>
  // CHECK: xf.mul
  // CHECK: xf.sub
  // CHECK: xf.div
  // CHECK: xf.neg
  on("arithmetic", [](Tensor x) { return -((2 * x - 1) / x); }, f64);
  // CHECK-LABEL: @comparison
  // CHECK: %[[POSITIVE:.*]] = xf.compare gt %{{.*}}, %{{.*}} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xi1>
  // CHECK: xf.where %[[POSITIVE]]
  on("comparison", [](Tensor x) { return where(x > 0, x, 0); });
  // CHECK-LABEL: @gelus
  // CHECK: xf.gelu %{{.*}} form  erf
  // CHECK: xf.gelu %{{.*}} form  tanh
  // CHECK: xf.gelu %{{.*}} form  sigmoid
  on("gelus", [](Tensor x) { return gelu(gelu(gelu(x), Gelu::tanh), Gelu::sigmoid); });
  // CHECK-LABEL: @functions
  // CHECK: xf.tan
  // CHECK: xf.asin
  // CHECK: xf.acos
  // CHECK: xf.atan
  // CHECK: xf.sinh
  // CHECK: xf.cosh
  // CHECK: xf.cbrt
  // CHECK: xf.log2
  // CHECK: xf.log10
  // CHECK: xf.log1p
  // CHECK: xf.expm1
  // CHECK: xf.softplus
  // CHECK: xf.stop_gradient
  // CHECK: xf.floor
  // CHECK: xf.ceil
  // CHECK: xf.round
  // CHECK: xf.atan2 %{{.*}}, %{{.*}} : (tensor<2x3x4xf32>, tensor<f32>)
  // CHECK: xf.maximum
  // CHECK: xf.minimum
  on("functions", [](Tensor x) {
    x = cbrt(cosh(sinh(atan(acos(asin(tan(x)))))));
    x = stop_gradient(softplus(expm1(log1p(log10(log2(x))))));
    return clamp(atan2(round(ceil(floor(x))), 2), -1, 1);
  });
  // CHECK-LABEL: @casts
  // CHECK: xf.cast %{{.*}} : tensor<2x3x4xf32> to tensor<2x3x4xbf16>
  // CHECK-NOT: xf.cast
  on("casts", [](Tensor x) { return cast(cast(x, bf16), bf16); });
}

static void rowsAndShapes() {
  // CHECK-LABEL: @reductions
  // CHECK: xf.reduce sum %{{.*}} axes [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
  // CHECK: xf.reshape %{{.*}} : tensor<2x3xf32> to tensor<2x3x1xf32>
  // CHECK: xf.reduce mean %{{.*}} axes [0, 1, 2]
  on("reductions", [](Tensor x) { return mean(sum(x, -1, true)); });
  // CHECK-LABEL: @shapes
  // CHECK: xf.transpose %{{.*}} permutation [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  // CHECK: xf.slice %{{.*}} offsets [0, 1, 0] strides [1, 2, 1] : tensor<3x4x2xf32> to tensor<3x2x2xf32>
  // CHECK: xf.concat %{{.*}}, %{{.*}} axis 0 : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<6x2x2xf32>
  // CHECK: xf.reshape %{{.*}} : tensor<6x2x2xf32> to tensor<8x3xf32>
  on("shapes", [](Tensor x) {
    Tensor y = slice(transpose(x, {1, 2, 0}), 1, 1, -1 + 5, 2);
    return reshape(concat({y, y}, 0), {-1, 3});
  });
  // CHECK-LABEL: @transposes
  // CHECK: permutation [2, 1, 0] : tensor<2x3x4xf32> to tensor<4x3x2xf32>
  // CHECK: permutation [0, 2, 1] : tensor<4x3x2xf32> to tensor<4x2x3xf32>
  on("transposes", [](Tensor x) { return transpose(transpose(x), 1, -1); });
  // CHECK-LABEL: @norms
  // CHECK: xf.layer_norm %{{.*}} eps 1.0{{.*}}e-05 : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  // CHECK: xf.rms_norm %{{.*}} eps {{1.0*e-06|9.9+.*E-7}}
  // CHECK: xf.softmax
  on("norms", [](Tensor x) { return softmax(rms_norm(layer_norm(x))); });
}

int main() {
  elements();
  rowsAndShapes();
  // CHECK-LABEL: @products
  // CHECK: xf.matmul %{{.*}}, %{{.*}} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: xf.linear %{{.*}}, %{{.*}} : (tensor<2x3x5xf32>, tensor<6x5xf32>) -> tensor<2x3x6xf32>
  on("products", [](Tensor x) { return linear(matmul(x, ones({4, 5})), ones({6, 5})); });
  // CHECK-LABEL: @constants
  // CHECK: arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  // CHECK: arith.constant dense<{{.*}}5.0{{.*}}e-01, 1.5{{.*}}> : tensor<1x2xf32>
  program.entry("constants", {}, [](const std::vector<Tensor> &) {
    return std::vector<Tensor>{arange(3, i32), constant(std::vector<double>{0.5, 1.5}, {1, 2})};
  });
  // CHECK-LABEL: @dropped
  // CHECK: xf.dropout %{{.*}} seed(%{{.*}} : tensor<2xi64>) p 2.5
  program.entry("dropped", {{"x", f32, {4}}, {"seed", i64, {2}}},
                [](Tensor x, Tensor seed) { return dropout(x, 0.25, seed); });
  std::fputs(program.str().c_str(), stdout);
}
