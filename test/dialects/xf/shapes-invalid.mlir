// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.reshape C2
func.func @reshape_elements(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected as many elements in the result, got 'tensor<2x3xf32>' and 'tensor<5xf32>'}}
  %r = xf.reshape %x : tensor<2x3xf32> to tensor<5xf32>
  return
}

// -----

// xf.reshape C2
func.func @reshape_divides(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected as many elements in the result, got 'tensor<2x3xf32>' and 'tensor<4x?xf32>'}}
  %r = xf.reshape %x : tensor<2x3xf32> to tensor<4x?xf32>
  return
}

// -----

// xf.reshape C2
func.func @reshape_divides_back(%x: tensor<?x4xf32>) {
  // expected-error@+1 {{expected as many elements in the result, got 'tensor<?x4xf32>' and 'tensor<2x3xf32>'}}
  %r = xf.reshape %x : tensor<?x4xf32> to tensor<2x3xf32>
  return
}

// -----

// xf.reshape C1
func.func @reshape_dynamic(%x: tensor<6xf32>) {
  // expected-error@+1 {{expected at most 1 dynamic sizes in the result, got 'tensor<?x?xf32>'}}
  %r = xf.reshape %x : tensor<6xf32> to tensor<?x?xf32>
  return
}

// -----

// xf.reshape C3
func.func @reshape_type(%x: tensor<6xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.reshape %x : tensor<6xf32> to tensor<6xf64>
  return
}

// -----

// xf.transpose C1
func.func @transpose_count(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of 2 dimensions, got [0]}}
  %r = xf.transpose %x permutation [0] : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

// xf.transpose C1
func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of 2 dimensions, got [1, 1]}}
  %r = xf.transpose %x permutation [1, 1] : tensor<2x3xf32> to tensor<3x3xf32>
  return
}

// -----

// xf.transpose C1
func.func @transpose_shape(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a result of shape [3, 2], got 'tensor<2x3xf32>'}}
  %r = xf.transpose %x permutation [1, 0] : tensor<2x3xf32> to tensor<2x3xf32>
  return
}

// -----

// xf.transpose C2
func.func @transpose_type(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  %r = xf.transpose %x permutation [1, 0] : tensor<2x3xf32> to tensor<3x2xi32>
  return
}

// -----

// xf.broadcast C1
func.func @broadcast_size(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a shape that broadcasts to [4, 3], got 'tensor<2x3xf32>'}}
  %r = xf.broadcast %x : tensor<2x3xf32> to tensor<4x3xf32>
  return
}

// -----

// xf.broadcast C1
func.func @broadcast_rank(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a shape that broadcasts to [3], got 'tensor<2x3xf32>'}}
  %r = xf.broadcast %x : tensor<2x3xf32> to tensor<3xf32>
  return
}

// -----

// xf.broadcast C2
func.func @broadcast_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.broadcast %x : tensor<3xf32> to tensor<2x3xf64>
  return
}
