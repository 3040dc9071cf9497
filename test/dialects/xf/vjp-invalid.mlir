// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.vjp C3
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @cotangents(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  // expected-error@+1 {{expected cotangents of types 'tensor<f32>', got }}
  %y, %d = xf.vjp @g(%x, %n) wrt [0] : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<f32>)
  return %d : tensor<f32>
}

// -----

// xf.vjp C1
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @body(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a function with a body, got @g}}
  %y, %d = xf.vjp @g(%x) cotangents(%x : tensor<4xf32>) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.vjp C2
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @operands(%x: tensor<4xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected operands of types 'tensor<4xf32>', 'tensor<i64>', got 'tensor<4xf32>'}}
  %y, %d = xf.vjp @g(%x) cotangents(%x : tensor<4xf32>) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.vjp C4
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @integer(%x: tensor<4xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected a floating-point argument 1, got 'tensor<i64>'}}
  %y, %d = xf.vjp @g(%x, %n) cotangents(%x : tensor<4xf32>) wrt [1] : (tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<i64>)
  return
}

// -----

// xf.vjp C5
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @results(%x: tensor<4xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected results of types 'tensor<4xf32>', 'tensor<4xf32>', got 'tensor<4xf32>'}}
  %y = xf.vjp @g(%x, %n) cotangents(%x : tensor<4xf32>) wrt [0] : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return
}
