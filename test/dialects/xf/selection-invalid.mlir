// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.iota C1
func.func @iota_scalar(%x: tensor<i64>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<i64>'}}
  %y = xf.iota %x : tensor<i64>
  return
}

// -----

// xf.cumsum C1
func.func @cumsum_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<f32>'}}
  %y = xf.cumsum %x : tensor<f32>
  return
}

// -----

// xf.top_k C1
func.func @top_k_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<f32>'}}
  %v, %i = xf.top_k %x : tensor<f32> -> tensor<f32>, tensor<i64>
  return
}

// -----

// xf.top_k C1
func.func @top_k_too_many(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{expected at most 9 columns to choose, got 10}}
  %v, %i = xf.top_k %x : tensor<2x9xf32> -> tensor<2x10xf32>, tensor<2x10xi64>
  return
}

// -----

// xf.top_k C1
func.func @top_k_unknown(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{expected a static number of columns of 9 to choose, got 'tensor<2x?xf32>'}}
  %v, %i = xf.top_k %x : tensor<2x9xf32> -> tensor<2x?xf32>, tensor<2x?xi64>
  return
}

// -----

// xf.top_k C1
func.func @top_k_rows(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{expected values of shape [2, 3], got 'tensor<3x3xf32>'}}
  %v, %i = xf.top_k %x : tensor<2x9xf32> -> tensor<3x3xf32>, tensor<2x3xi64>
  return
}

// -----

// xf.top_k C1
func.func @top_k_indices(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{expected indices of shape [2, 3], got 'tensor<2x4xi64>'}}
  %v, %i = xf.top_k %x : tensor<2x9xf32> -> tensor<2x3xf32>, tensor<2x4xi64>
  return
}

// -----

// xf.top_k C2
func.func @top_k_type(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %v, %i = xf.top_k %x : tensor<2x9xf32> -> tensor<2x3xf64>, tensor<2x3xi64>
  return
}

// -----

// xf.take_along C1
func.func @take_along_rows(%x: tensor<2x9xf32>, %i: tensor<3x4xi64>) {
  // expected-error@+1 {{expected indices of shape [2, 4], got 'tensor<3x4xi64>'}}
  %y = xf.take_along %x, %i : tensor<2x9xf32>, tensor<3x4xi64> -> tensor<2x4xf32>
  return
}

// -----

// xf.take_along C2
func.func @take_along_type(%x: tensor<2x9xf32>, %i: tensor<2x4xi64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %y = xf.take_along %x, %i : tensor<2x9xf32>, tensor<2x4xi64> -> tensor<2x4xf64>
  return
}

// -----

// xf.take_along_vjp C1
func.func @take_along_vjp_rows(%x: tensor<2x9xf32>, %i: tensor<2x4xi64>, %d: tensor<2x5xf32>) {
  // expected-error@+1 {{expected d_y of shape [2, 4], got 'tensor<2x5xf32>'}}
  %y = xf.take_along_vjp %x, %i, %d : tensor<2x9xf32>, tensor<2x4xi64>, tensor<2x5xf32>
  return
}

// -----

// xf.take_along_vjp C2
func.func @take_along_vjp_type(%x: tensor<2x9xf32>, %i: tensor<2x4xi64>, %d: tensor<2x4xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %y = xf.take_along_vjp %x, %i, %d : tensor<2x9xf32>, tensor<2x4xi64>, tensor<2x4xf64>
  return
}

// -----

// xf.add_at C1
func.func @add_at_rank(%y: tensor<4x6xf32>, %x: tensor<3xf32>) {
  // expected-error@+1 {{expected x of rank 2, got 'tensor<3xf32>'}}
  %r = xf.add_at %y, %x offsets [0, 0] strides [1, 1] : tensor<4x6xf32>, tensor<3xf32>
  return
}

// -----

// xf.add_at C2
func.func @add_at_room(%y: tensor<4x6xf32>, %x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 3 elements by 2 from 2 to end within 6 in dimension 1, got 'tensor<2x3xf32>' and 'tensor<4x6xf32>'}}
  %r = xf.add_at %y, %x offsets [0, 2] strides [1, 2] : tensor<4x6xf32>, tensor<2x3xf32>
  return
}

// -----

// xf.add_at C3
func.func @add_at_type(%y: tensor<4xf32>, %x: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f64' and 'f32'}}
  %r = xf.add_at %y, %x offsets [0] strides [1] : tensor<4xf32>, tensor<2xf64>
  return
}

// -----

// xf.add_at C3
func.func @add_at_bools(%y: tensor<4xi1>, %x: tensor<2xi1>) {
  // expected-error@+1 {{expected numbers, got 'tensor<4xi1>'}}
  %r = xf.add_at %y, %x offsets [0] strides [1] : tensor<4xi1>, tensor<2xi1>
  return
}
