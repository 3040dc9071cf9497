// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.slice C1
func.func @slice_offsets(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected 2 numbers of offset, got 1}}
  %r = xf.slice %x offsets [0] strides [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

// xf.slice C1
func.func @slice_strides(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected 2 numbers of stride, got 1}}
  %r = xf.slice %x offsets [0, 0] strides [1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

// xf.slice C1
func.func @slice_rank(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected a result of rank 2, got 'tensor<2xf32>'}}
  %r = xf.slice %x offsets [0, 0] strides [1, 1] : tensor<4x4xf32> to tensor<2xf32>
  return
}

// -----

// xf.slice C1
func.func @slice_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected offset >= 0, got -1}}
  %r = xf.slice %x offsets [-1] strides [1] : tensor<4xf32> to tensor<2xf32>
  return
}

// -----

// xf.slice C1
func.func @slice_no_stride(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected stride >= 1, got 0}}
  %r = xf.slice %x offsets [0] strides [0] : tensor<4xf32> to tensor<2xf32>
  return
}

// -----

// xf.slice C2
func.func @slice_end(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 3 elements by 2 from 1 to end within 4 in dimension 0, got 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %r = xf.slice %x offsets [1] strides [2] : tensor<4xf32> to tensor<3xf32>
  return
}

// -----

// xf.slice C2
func.func @slice_overflow(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 3 elements by 9223372036854775807 from 1 to end within 4 in dimension 0}}
  %r = xf.slice %x offsets [1] strides [9223372036854775807] : tensor<4xf32> to tensor<3xf32>
  return
}

// -----

// xf.slice C3
func.func @slice_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %r = xf.slice %x offsets [1] strides [1] : tensor<4xf32> to tensor<3xf16>
  return
}

// -----

// xf.pad C2
func.func @pad_room(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected 3 elements by 2 from 1 to end within 5 in dimension 0, got 'tensor<3xf32>' and 'tensor<5xf32>'}}
  %r = xf.pad %x low [1] strides [2] : tensor<3xf32> to tensor<5xf32>
  return
}

// -----

// xf.pad C1
func.func @pad_negative(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected low end >= 0, got -1}}
  %r = xf.pad %x low [-1] strides [1] : tensor<3xf32> to tensor<5xf32>
  return
}

// -----

// xf.pad C1
func.func @pad_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected a result of rank 1, got 'tensor<5x1xf32>'}}
  %r = xf.pad %x low [1] strides [1] : tensor<3xf32> to tensor<5x1xf32>
  return
}

// -----

// xf.pad C3
func.func @pad_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.pad %x low [1] strides [1] : tensor<3xf32> to tensor<5xf64>
  return
}
