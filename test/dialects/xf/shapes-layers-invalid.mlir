// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
