// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.gradient C1
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a function with a body, got @missing}}
  %y, %d = xf.gradient @missing(%x) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %d : tensor<4xf32>
}

// -----

// xf.gradient C2
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<4xf32>) -> tensor<f32> {
  %y = xf.reduce sum %x axes [0] : tensor<4xf32> -> tensor<f32>
  return %y : tensor<f32>
}
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{expected operands of types 'tensor<4xf32>', got 'tensor<3xf32>'}}
  %y, %d = xf.gradient @g(%x) wrt [0] : (tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>)
  return %d : tensor<3xf32>
}

// -----

// xf.gradient C3
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a function whose first result is a floating-point scalar, got 'tensor<4xf32>'}}
  %y, %d = xf.gradient @g(%x) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %d : tensor<4xf32>
}

// -----

// xf.gradient C4
func.func private @g(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @number(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  // expected-error@+1 {{expected numbers of 2 arguments, got 2}}
  %y, %d = xf.gradient @g(%x, %n) wrt [2] : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<f32>)
  return %d : tensor<f32>
}

// -----

// xf.gradient C4
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @integer(%x: tensor<f32>, %n: tensor<i64>) -> tensor<i64> {
  // expected-error@+1 {{expected a floating-point argument 1, got 'tensor<i64>'}}
  %y, %d = xf.gradient @g(%x, %n) wrt [1] : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>)
  return %d : tensor<i64>
}

// -----

// xf.gradient C4
func.func private @g(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @twice(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  // expected-error@+1 {{expected each argument once, got 0 twice}}
  %y, %d:2 = xf.gradient @g(%x, %n) wrt [0, 0] : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %d#0 : tensor<f32>
}

// -----

// xf.gradient C5
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @results(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  // expected-error@+1 {{expected results of types 'tensor<f32>', 'tensor<f32>', got 'tensor<f32>'}}
  %y = xf.gradient @g(%x, %n) wrt [0] : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// xf.gradient C1
// expected-note@+1 {{the function is defined here}}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  llvm.br ^last
^last:
  return %x : tensor<f32>
}
func.func @blocks(%x: tensor<f32>) {
  // expected-error@+1 {{expected a function of one block, got @g}}
  %y, %d = xf.gradient @g(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}
