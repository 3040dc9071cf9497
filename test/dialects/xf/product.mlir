// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func @with_bias
// CHECK: xf.product %{{.*}}, %{{.*}} transposed epilogue(%[[P:.*]] : f32, %[[B:.*]] = %{{.*}} : tensor<4xbf16>) {
// CHECK-NEXT: arith.addf %[[P]], %[[B]] : f32
// CHECK: } : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4xbf16>)
func.func @with_bias(%x: tensor<2x3xbf16>, %w: tensor<4x3xbf16>, %bias: tensor<4xbf16>) -> tensor<2x4xbf16> {
  %y = xf.product %x, %w transposed epilogue(%p : f32, %b = %bias : tensor<4xbf16>) {
    %s = arith.addf %p, %b : f32
    xf.yield %s : f32
  } : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4xbf16>)
  return %y : tensor<2x4xbf16>
}

// CHECK-LABEL: func.func @two_results
// CHECK: xf.product %{{.*}} transposed, %{{.*}} epilogue(%[[P:.*]] : f64) {
// CHECK: xf.yield %[[P]], %{{.*}} : f64, f64
// CHECK: } : (tensor<3x2xf64>, tensor<3x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
func.func @two_results(%x: tensor<3x2xf64>, %w: tensor<3x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>) {
  %u, %y = xf.product %x transposed, %w epilogue(%p : f64) {
    %t = math.tanh %p : f64
    xf.yield %p, %t : f64, f64
  } : (tensor<3x2xf64>, tensor<3x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
  return %u, %y : tensor<2x4xf64>, tensor<2x4xf64>
}
