// RUN: xf-opt %s -split-input-file -xf-gradient | FileCheck %s

func.func private @loss(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %p = xf.mul %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %l = xf.reduce sum %p axes [0] : tensor<4xf32> -> tensor<f32>
  return %l, %p : tensor<f32>, tensor<4xf32>
}

// The function's results come along; only what `wrt` asks for is differentiated.
// CHECK-LABEL: func.func @train
// CHECK-SAME: %[[W:[^ :]*]]: tensor<4xf32>, %[[X:[^ :]*]]: tensor<4xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[P:.*]] = xf.mul %[[W]], %[[X]]
// CHECK: %[[L:.*]] = xf.reduce sum %[[P]]
// CHECK: %[[SCALAR:.*]] = xf.reshape %[[ONE]] : tensor<f32> to tensor<1xf32>
// CHECK: %[[DP:.*]] = xf.broadcast %[[SCALAR]]
// CHECK: %[[DW:.*]] = xf.map (%{{.*}} = %[[X]] : tensor<4xf32>, %{{.*}} = %[[DP]] : tensor<4xf32>)
// CHECK-NOT: xf.map
// CHECK: return %[[L]], %[[P]], %[[DW]]
func.func @train(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %l, %p, %d_w = xf.gradient @loss(%w, %x) wrt [0]
    : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
  return %l, %p, %d_w : tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @push
// CHECK-SAME: %[[X:[^ :]*]]: tensor<4xf32>, %[[D:[^ :]*]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = xf.exp %[[X]]
// CHECK: %[[DX:.*]] = xf.map (%{{.*}} = %[[Y]] : tensor<4xf32>, %{{.*}} = %[[D]] : tensor<4xf32>)
// CHECK: return %[[Y]], %[[DX]]
func.func @push(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %d_x = xf.vjp @f(%x) cotangents(%d : tensor<4xf32>) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %d_x : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func private @product(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %y = xf.sub %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// One value for both arguments: two gradients, not their sum.
// CHECK-LABEL: func.func @same_value_twice
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK: %[[DB:.*]] = xf.map
// CHECK: return %{{.*}}, %[[ONE]], %[[DB]]
func.func @same_value_twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %y, %d_a, %d_b = xf.gradient @product(%x, %x) wrt [0, 1] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %y, %d_a, %d_b : tensor<f32>, tensor<f32>, tensor<f32>
}
