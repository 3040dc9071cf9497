// RUN: xf-opt %s | xf-opt | FileCheck %s

func.func private @loss(%w: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<f32> {
  %l = xf.reduce sum %w axes [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func @value_and_gradient
// CHECK: xf.gradient @loss(%{{.*}}, %{{.*}}) wrt [0] : (tensor<4xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
func.func @value_and_gradient(%w: tensor<4xf32>, %n: tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>) {
  %l, %d_w = xf.gradient @loss(%w, %n) wrt [0] : (tensor<4xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return %l, %d_w : tensor<f32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @vjp
// CHECK: xf.vjp @loss(%{{.*}}, %{{.*}}) cotangents(%{{.*}} : tensor<f32>) wrt [0]
func.func @vjp(%w: tensor<4xf32>, %n: tensor<4xi64>, %d: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  %l, %d_w = xf.vjp @loss(%w, %n) cotangents(%d : tensor<f32>) wrt [0] : (tensor<4xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return %l, %d_w : tensor<f32>, tensor<4xf32>
}
