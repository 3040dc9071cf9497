// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @scaled_queries
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x8x4xf32>
// CHECK-NEXT: xf.attention %[[Q]], %[[Q]], %[[Q]] pattern(#xf.causal) scale 1.500000e+00
func.func @scaled_queries(%q: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %c = arith.constant dense<3.0> : tensor<f32>
  %s = xf.mul %q, %c : (tensor<1x2x8x4xf32>, tensor<f32>) -> tensor<1x2x8x4xf32>
  %o = xf.attention %s, %q, %q pattern(#xf.causal)
    : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// A feature map sees the queries themselves.
// CHECK-LABEL: func.func @kernelized
// CHECK: %[[S:.*]] = xf.map
// CHECK: xf.attention %[[S]]
func.func @kernelized(%q: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %c = arith.constant dense<3.0> : tensor<f32>
  %s = xf.mul %q, %c : (tensor<1x2x8x4xf32>, tensor<f32>) -> tensor<1x2x8x4xf32>
  %o = xf.attention %s, %q, %q pattern(#xf.kernelized<feature = elu>)
    : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
