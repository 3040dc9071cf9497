// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.slice_update C1
func.func @slice_update_axis(%s: tensor<2x8xf32>, %x: tensor<2x3xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected an axis in [0, 2), got 2}}
  %y = xf.slice_update %s, %x at %p axis 2 : (tensor<2x8xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.slice_update C1
func.func @slice_update_dynamic(%s: tensor<2x?xf32>, %x: tensor<2x3xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected a static size of the state along axis 1, got 'tensor<2x?xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x?xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_rank(%s: tensor<2x8xf32>, %x: tensor<3xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected x of rank 2, got 'tensor<3xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_sizes(%s: tensor<2x8xf32>, %x: tensor<3x3xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected x of shape [2, 3], got 'tensor<3x3xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x8xf32>, tensor<3x3xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_result(%s: tensor<2x8xf32>, %x: tensor<2x3xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected a result of shape [2, 8], got 'tensor<2x9xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x8xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x9xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_large(%s: tensor<2x8xf32>, %x: tensor<2x9xf32>, %p: tensor<i32>) {
  // expected-error@+1 {{expected x of at most 8 elements along axis 1, got 'tensor<2x9xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x8xf32>, tensor<2x9xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.slice_update C3
func.func @slice_update_types(%s: tensor<2x8xf32>, %x: tensor<2x3xf64>, %p: tensor<i32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<2x8xf32>, tensor<2x3xf64>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_rows(%s: tensor<4x2x8xf32>, %x: tensor<3x2x8xf32>, %p: tensor<3xi32>) {
  // expected-error@+1 {{expected x of rank 2, got 'tensor<3x2x8xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<4x2x8xf32>, tensor<3x2x8xf32>, tensor<3xi32>) -> tensor<4x2x8xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_row_count(%s: tensor<4x2x8xf32>, %x: tensor<3x8xf32>, %p: tensor<5xi32>) {
  // expected-error@+1 {{expected a position of shape [3], got 'tensor<5xi32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<4x2x8xf32>, tensor<3x8xf32>, tensor<5xi32>) -> tensor<4x2x8xf32>
  return
}

// -----

// xf.slice_update C2
func.func @slice_update_places(%s: tensor<?x2x8xf32>, %x: tensor<3x8xf32>, %p: tensor<3xi32>) {
  // expected-error@+1 {{expected static sizes of the state up to axis 1 beside a vector of positions, got 'tensor<?x2x8xf32>'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<?x2x8xf32>, tensor<3x8xf32>, tensor<3xi32>) -> tensor<?x2x8xf32>
  return
}

// -----

// xf.slice_update C3
func.func @slice_update_row_types(%s: tensor<4x2x8xf32>, %x: tensor<3x8xf64>, %p: tensor<3xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %y = xf.slice_update %s, %x at %p axis 1 : (tensor<4x2x8xf32>, tensor<3x8xf64>, tensor<3xi32>) -> tensor<4x2x8xf32>
  return
}
