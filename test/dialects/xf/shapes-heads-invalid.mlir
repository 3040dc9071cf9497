// RUN: xf-opt %s -split-input-file -verify-diagnostics

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

// xf.merge_heads C2
func.func @merge_heads_type(%x: tensor<1x2x3x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %r = xf.merge_heads %x : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf16>
  return
}
