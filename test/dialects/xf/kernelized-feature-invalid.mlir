// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention C13
func.func @feature_and_elu(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected feature = identity with a feature region, got elu}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) feature(%row : tensor<3xf32>) { xf.yield %row : tensor<3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C13
func.func @feature_row(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected a feature region that takes ('tensor<3xf32>', captures..), got 'tensor<4xf32>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<4xf32>) { xf.yield %row : tensor<4xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C13
func.func @feature_yield(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %w: tensor<5x3xf32>) {
  // expected-error@+1 {{expected the feature region to yield one row of 'f32', got 'tensor<5x3xf32>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) captures(%w = %w : tensor<5x3xf32>) { xf.yield %w : tensor<5x3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C13
func.func @feature_end(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected xf.yield at the end of a feature region}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) { func.return %row : tensor<3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C13
func.func @feature_op(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected an xf op without side effects, or a constant, in a feature region}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) { %y = tensor.cast %row : tensor<3xf32> to tensor<3xf32> xf.yield %y : tensor<3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C7
func.func @feature_and_params(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %w: tensor<5x3xf32>) {
  // expected-error@+1 {{expected 0 params (in C++, .parameters) for the pattern, got 1}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = identity>) params(%w : tensor<5x3xf32>) feature(%row : tensor<3xf32>) { xf.yield %row : tensor<3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention_vjp C5
func.func @gradient_without_lse(%x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected an lse, but none of kernelised attention, got none}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.causal)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C5
func.func @gradient_with_lse(%x: tensor<1x2x4x3xf32>, %lse: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected an lse, but none of kernelised attention, got one}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.kernelized<feature = elu>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

// xf.attention_vjp C2
func.func @gradient_of_decay(%x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected gradients of decay of types 'tensor<1x2x4xf32>', got }}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x2x4xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
   -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return
}

// -----

func.func @cotangents(%x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected d_o, lse and d_o, or lse, d_o and d_lse, got 4 operands}}
  %dq, %dk, %dv = xf.attention_vjp %x, %x, %x, %x, %x, %x, %x, %x pattern(#xf.causal)
  return
}
