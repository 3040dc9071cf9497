// RUN: xf-opt %s | xf-opt | FileCheck %s

// CHECK-LABEL: func.func @squares
// CHECK: xf.map (%[[A:.*]] = %{{.*}} : tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: arith.mulf %[[A]], %[[A]] : f32
func.func @squares(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %b = arith.mulf %a, %a : f32
    xf.yield %b : f32
  }
  return %y : tensor<4xf32>
}
