// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.softmax C1
func.func @softmax_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<f32>'}}
  %r = xf.softmax %x : tensor<f32>
  return
}

// -----

// xf.softmax_vjp C1
func.func @softmax_vjp_scalar(%x: tensor<f32>, %y: tensor<f32>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<f32>'}}
  %r = xf.softmax_vjp %x, %y : tensor<f32>
  return
}

// -----

// xf.rms_norm C1
func.func @rms_norm_weight(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected a weight of shape [3], got 'tensor<2xf32>'}}
  %r = xf.rms_norm %x weight(%y : tensor<2xf32>) eps 1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.rms_norm C2
func.func @rms_norm_eps(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected eps >= 0, got -1.0000000000000001E-5}}
  %r = xf.rms_norm %x eps -1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.rms_norm_vjp C1
func.func @rms_norm_vjp_gradient(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{expected d_weight of shape [3], got 'tensor<2xf32>'}}
  %d, %w = xf.rms_norm_vjp %x, %y eps 1.0e-5 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32> weight(tensor<2xf32>)
  return
}

// -----

// xf.reduce C1
func.func @reduce_axis(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected axes in [0, 2), got 2}}
  %r = xf.reduce sum %x axes [2] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.reduce C1
func.func @reduce_twice(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected each axis once, got 1 twice}}
  %r = xf.reduce sum %x axes [1, 1] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

// xf.reduce C1
func.func @reduce_shape(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a result of shape [2], got 'tensor<3xf32>'}}
  %r = xf.reduce mean %x axes [1] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

// xf.reduce C2
func.func @reduce_type(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.reduce max %x axes [1] : tensor<2x3xf32> -> tensor<2xf64>
  return
}

// -----

// xf.reduce_max_vjp C1
func.func @reduce_max_vjp(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected d_y of shape [3], got 'tensor<2xf32>'}}
  %r = xf.reduce_max_vjp %x, %y axes [0] : tensor<2x3xf32>, tensor<2xf32>
  return
}

// -----

// xf.rms_norm C3
func.func @rms_norm_type(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %r = xf.rms_norm %x eps 1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf16>
  return
}

// -----

// xf.rms_norm_vjp C2
func.func @rms_norm_vjp_eps(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected eps >= 0, got NaN}}
  %d = xf.rms_norm_vjp %x, %x eps 0x7FF8000000000000 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.rms_norm_vjp C3
func.func @rms_norm_vjp_type(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %d = xf.rms_norm_vjp %x, %x eps 1.0e-5 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf64>
  return
}

// -----

// xf.reduce_max_vjp C2
func.func @reduce_max_vjp_type(%x: tensor<2x3xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.reduce_max_vjp %x, %y axes [1] : tensor<2x3xf32>, tensor<2xf64>
  return
}

// -----

// xf.softmax_vjp C2
func.func @softmax_vjp_shape(%y: tensor<2xf32>, %d: tensor<3xf32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %r = "xf.softmax_vjp"(%y, %d) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
