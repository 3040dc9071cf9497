// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.layer_norm C1
func.func @layer_norm_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected at least one dimension, got 'tensor<f32>'}}
  %r = xf.layer_norm %x eps 1.0e-5 : tensor<f32> -> tensor<f32>
  return
}

// -----

// xf.layer_norm C1
func.func @layer_norm_weight(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected a weight of shape [3], got 'tensor<2xf32>'}}
  %r = xf.layer_norm %x weight(%y : tensor<2xf32>) eps 1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm C1
func.func @layer_norm_bias(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) {
  // expected-error@+1 {{expected a bias of shape [3], got 'tensor<1x3xf32>'}}
  %r = xf.layer_norm %x bias(%y : tensor<1x3xf32>) eps 1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm C1
func.func @layer_norm_result(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a result of shape [2, 3], got 'tensor<3x3xf32>'}}
  %r = xf.layer_norm %x eps 1.0e-5 : tensor<2x3xf32> -> tensor<3x3xf32>
  return
}

// -----

// xf.layer_norm C2
func.func @layer_norm_eps(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected eps >= 0, got -1}}
  %r = xf.layer_norm %x eps -1.0 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm C2
func.func @layer_norm_nan(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected eps >= 0, got NaN}}
  %r = xf.layer_norm %x eps 0x7FF8000000000000 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm C3
func.func @layer_norm_type(%x: tensor<2x3xf32>, %y: tensor<3xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.layer_norm %x weight(%y : tensor<3xf64>) eps 1.0e-5 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm_vjp C1
func.func @layer_norm_vjp_cotangent(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{expected d_y of shape [2, 3], got 'tensor<2x4xf32>'}}
  %d = xf.layer_norm_vjp %x, %y eps 1.0e-5 : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm_vjp C1
func.func @layer_norm_vjp_gradient(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+1 {{expected d_bias of shape [3], got 'tensor<2xf32>'}}
  %d, %b = xf.layer_norm_vjp %x, %y eps 1.0e-5 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32> bias(tensor<2xf32>)
  return
}

// -----

// xf.layer_norm_vjp C2
func.func @layer_norm_vjp_eps(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected eps >= 0, got -1}}
  %d = xf.layer_norm_vjp %x, %x eps -1.0 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// xf.layer_norm_vjp C3
func.func @layer_norm_vjp_type(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %d = xf.layer_norm_vjp %x, %y eps 1.0e-5 : tensor<2x3xf32>, tensor<2x3xf64> -> tensor<2x3xf32>
  return
}
