// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT: %[[A:.*]] = xf.softmax %[[X]]
// CHECK-NEXT: %[[B:.*]] = xf.softmax %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @nested(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = xf.checkpoint (%a = %x : tensor<4x4xf32>) -> (tensor<4x4xf32>) {
    %b = xf.checkpoint (%c = %a : tensor<4x4xf32>) -> (tensor<4x4xf32>) {
      %d = xf.softmax %c : tensor<4x4xf32>
      xf.yield %d : tensor<4x4xf32>
    }
    %e = xf.softmax %b : tensor<4x4xf32>
    xf.yield %e : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}
