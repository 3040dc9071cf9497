// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.linear C1
func.func @linear_scalar(%x: tensor<f32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{expected x of at least one dimension, got 'tensor<f32>'}}
  %r = xf.linear %x, %y : (tensor<f32>, tensor<4x3xf32>) -> tensor<4xf32>
  return
}

// -----

// xf.linear C1
func.func @linear_weight_rank(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected a weight of rank 2, got 'tensor<3xf32>'}}
  %r = xf.linear %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// xf.linear C1
func.func @linear_weight(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected a weight of shape [3, 3], got 'tensor<3x4xf32>'}}
  %r = xf.linear %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// xf.linear C1
func.func @linear_bias(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %z: tensor<3xf32>) {
  // expected-error@+1 {{expected a bias of shape [4], got 'tensor<3xf32>'}}
  %r = xf.linear %x, %y bias(%z : tensor<3xf32>) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// xf.linear C1
func.func @linear_result(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{expected a result of shape [?, 4], got 'tensor<?x3xf32>'}}
  %r = xf.linear %x, %y : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

// xf.linear C2
func.func @linear_type(%x: tensor<2x3xf32>, %y: tensor<4x3xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.linear %x, %y : (tensor<2x3xf32>, tensor<4x3xf64>) -> tensor<2x4xf32>
  return
}

// -----

// xf.matmul C1
func.func @matmul_depth(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected equal sizes to sum over, got 3 and 4}}
  %r = xf.matmul %x, %y transposed : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

// xf.matmul C2
func.func @matmul_leading(%x: tensor<5x2x3xf32>, %y: tensor<6x3x4xf32>) {
  // expected-error@+1 {{expected equal leading sizes, got 'tensor<5x2x3xf32>' and 'tensor<6x3x4xf32>'}}
  %r = xf.matmul %x, %y : (tensor<5x2x3xf32>, tensor<6x3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

// xf.matmul C2
func.func @matmul_leading_of_fewer(%x: tensor<5x2x3xf32>, %y: tensor<4x5x6x3x4xf32>) {
  // expected-error@+1 {{expected equal leading sizes, got 'tensor<5x2x3xf32>' and 'tensor<4x5x6x3x4xf32>'}}
  %r = xf.matmul %x, %y : (tensor<5x2x3xf32>, tensor<4x5x6x3x4xf32>) -> tensor<4x5x6x2x4xf32>
  return
}

// -----

// xf.matmul C1
func.func @matmul_rank(%x: tensor<3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected factors of rank 2 or more, got 'tensor<3xf32>' and 'tensor<3x4xf32>'}}
  %r = xf.matmul %x, %y : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

// xf.matmul C1
func.func @matmul_result(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected a result of shape [2, 4], got 'tensor<4x2xf32>'}}
  %r = xf.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

// xf.matmul C3
func.func @matmul_type(%x: tensor<2x3xf32>, %y: tensor<3x4xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

// xf.matmul C3
func.func @matmul_result_type(%x: tensor<2x3xf16>, %y: tensor<3x4xf16>) {
  // expected-error@+1 {{expected one element type, got 'f16' and 'f32'}}
  %r = xf.matmul %x, %y : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf32>
  return
}
