// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention_vjp C1
func.func @result_shape(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x5xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected o of shape [1, 2, 4, 3], got 'tensor<1x2x4x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %o, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @cotangent_shape(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x5xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected d_o of shape [1, 2, 4, 3], got 'tensor<1x2x4x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %o pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x5xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @cotangent_type(%x: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x3xf64>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %o pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf64>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C1
func.func @lse_shape(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x5xf32>) {
  // expected-error@+1 {{expected lse of shape [1, 2, 4], got 'tensor<1x2x5xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C2
func.func @gradient_of_keys(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected gradients of q, k and v of types 'tensor<1x2x4x3xf32>', 'tensor<1x2x4x3xf32>', 'tensor<1x2x4x3xf32>', got 'tensor<1x2x4x3xf32>', 'tensor<1x2x5x3xf32>', 'tensor<1x2x4x3xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C3
func.func @keys(%x: tensor<1x2x4x3xf32>, %v: tensor<1x2x5x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected v of shape [1, 2, 4, 3], got 'tensor<1x2x5x3xf32>'}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %v, %x, %lse, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x5x3xf32>)
  return
}
