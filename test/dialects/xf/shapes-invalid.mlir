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

// -----

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

// -----

// xf.concat C1
func.func @concat_axis(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{expected an axis in [0, 2), got 2}}
  %r = xf.concat %x, %y axis 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// xf.concat C1
func.func @concat_rank(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected operands of rank 2, got 'tensor<3xf32>'}}
  %r = xf.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

// xf.concat C1
func.func @concat_sizes(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{expected an operand of shape [2, 3], got 'tensor<2x4xf32>'}}
  %r = xf.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// xf.concat C1
func.func @concat_sum(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a result of shape [4, 3], got 'tensor<5x3xf32>'}}
  %r = xf.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

// xf.concat C2
func.func @concat_type(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  %r = xf.concat %x, %y axis 0 : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

// xf.concat C1
func.func @concat_none() {
  // expected-error@+1 {{expected at least one operand, got none}}
  %r = "xf.concat"() {axis = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

// xf.split_heads C1
func.func @split_heads_rank(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{expected x of rank 3, got 'tensor<2x4xf32>'}}
  %r = xf.split_heads %x heads 2 : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  return
}

// -----

// xf.split_heads C1
func.func @split_heads_divides(%x: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected a number of heads that divides [4], got 3 and 'tensor<1x2x4xf32>'}}
  %r = xf.split_heads %x heads 3 : (tensor<1x2x4xf32>) -> tensor<1x3x2x1xf32>
  return
}

// -----

// xf.split_heads C1
func.func @split_heads_none(%x: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected a number of heads that divides [4], got 0}}
  %r = xf.split_heads %x heads 0 : (tensor<1x2x4xf32>) -> tensor<1x0x2x4xf32>
  return
}

// -----

// xf.split_heads C1
func.func @split_heads_shape(%x: tensor<1x3x4xf32>) {
  // expected-error@+1 {{expected a result of shape [1, 2, 3, 2], got 'tensor<1x3x2x2xf32>'}}
  %r = xf.split_heads %x heads 2 : (tensor<1x3x4xf32>) -> tensor<1x3x2x2xf32>
  return
}

// -----

// xf.split_heads C2
func.func @split_heads_type(%x: tensor<1x3x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.split_heads %x heads 2 : (tensor<1x3x4xf32>) -> tensor<1x2x3x2xf64>
  return
}

// -----

// xf.merge_heads C1
func.func @merge_heads_rank(%x: tensor<1x3x4xf32>) {
  // expected-error@+1 {{expected x of rank 4, got 'tensor<1x3x4xf32>'}}
  %r = xf.merge_heads %x : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

// xf.merge_heads C1
func.func @merge_heads_shape(%x: tensor<1x2x3x4xf32>) {
  // expected-error@+1 {{expected a result of shape [1, 3, 8], got 'tensor<1x3x6xf32>'}}
  %r = xf.merge_heads %x : (tensor<1x2x3x4xf32>) -> tensor<1x3x6xf32>
  return
}

// -----

// xf.stack_layers C1
func.func @stack_layers_shape(%x: tensor<1x3x4xf32>, %y: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected a layer of shape [1, 3, 4], got 'tensor<1x2x4xf32>'}}
  %r = xf.stack_layers %x, %y : (tensor<1x3x4xf32>, tensor<1x2x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

// xf.stack_layers C1
func.func @stack_layers_result(%x: tensor<1x3x4xf32>, %y: tensor<1x3x4xf32>) {
  // expected-error@+1 {{expected a result of shape [1, 6, 4], got 'tensor<1x3x4xf32>'}}
  %r = xf.stack_layers %x, %y : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

// xf.stack_layers C1
func.func @stack_layers_rank(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected a layer of rank 3, got 'tensor<3x4xf32>'}}
  %r = xf.stack_layers %x, %y : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

// xf.stack_layers C1
func.func @stack_layers_none() {
  // expected-error@+1 {{expected at least one layer, got none}}
  %r = "xf.stack_layers"() : () -> tensor<1x6x4xf32>
  return
}

// -----

// xf.pool_layers C1
func.func @pool_layers_divides(%x: tensor<1x6x4xf32>) {
  // expected-error@+1 {{expected a number of layers that divides [6], got 4 and 'tensor<1x6x4xf32>'}}
  %r = xf.pool_layers %x layers 4 kind max : (tensor<1x6x4xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// xf.pool_layers C1
func.func @pool_layers_shape(%x: tensor<1x6x4xf32>) {
  // expected-error@+1 {{expected a result of shape [1, 2, 4], got 'tensor<1x3x4xf32>'}}
  %r = xf.pool_layers %x layers 3 kind max : (tensor<1x6x4xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

// xf.merge_heads C2
func.func @merge_heads_type(%x: tensor<1x2x3x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %r = xf.merge_heads %x : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf16>
  return
}

// -----

// xf.stack_layers C2
func.func @stack_layers_type(%x: tensor<1x3x4xf32>, %y: tensor<1x3x4xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.stack_layers %x, %y : (tensor<1x3x4xf32>, tensor<1x3x4xf64>) -> tensor<1x6x4xf32>
  return
}

// -----

// xf.pool_layers C2
func.func @pool_layers_type(%x: tensor<1x6x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'bf16'}}
  %r = xf.pool_layers %x layers 2 kind mean : (tensor<1x6x4xf32>) -> tensor<1x3x4xbf16>
  return
}

// -----

// xf.pool_layers C1
func.func @pool_layers_rank(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected x of rank 3, got 'tensor<6x4xf32>'}}
  %r = xf.pool_layers %x layers 2 kind mean : (tensor<6x4xf32>) -> tensor<3x4xf32>
  return
}
