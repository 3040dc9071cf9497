// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention C11
func.func @decay_of_softmax(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected kernelised attention with the clause 'decay', got #xf.causal}}
  %o = xf.attention %q, %x, %x pattern(#xf.causal) decay(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @beta_of_softmax(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected kernelised attention with the clause 'beta', got #xf.causal}}
  %o = xf.attention %q, %x, %x pattern(#xf.causal) beta(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @relative_of_softmax(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %t: tensor<2x7xf32>) {
  // expected-error@+1 {{expected kernelised attention with the clause 'relative', got #xf.causal}}
  %o = xf.attention %q, %x, %x pattern(#xf.causal) relative(%t : tensor<2x7xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @feature_of_softmax(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>) {
  // expected-error@+1 {{expected kernelised attention with the clause 'feature', got #xf.causal}}
  %o = xf.attention %q, %x, %x pattern(#xf.causal) feature(%row : tensor<3xf32>) { xf.yield %row : tensor<3xf32> } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @decay_of_all_pairs(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected a causal pattern with decay, got #xf.kernelized<feature = elu>}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) decay(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @beta_of_all_pairs(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>) {
  // expected-error@+1 {{expected a causal pattern with beta, got #xf.kernelized<feature = elu>}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) beta(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @decay_shape(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x1x4xf32>) {
  // expected-error@+1 {{expected decay of shape [1, 2, 4], got 'tensor<1x1x4xf32>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x1x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @beta_shape(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<2x4xf32>) {
  // expected-error@+1 {{expected beta of shape [1, 2, 4], got 'tensor<2x4xf32>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) beta(%a : tensor<2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @decay_type(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf64>) {
  // expected-error@+1 {{expected decay of 'f32', got 'tensor<1x2x4xf64>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x2x4xf64>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// Weights of f16 attention are f32.
// xf.attention C11
func.func @relative_type(%q: tensor<1x2x4x3xf16>, %x: tensor<1x2x4x3xf16>, %t: tensor<2x7xf16>) {
  // expected-error@+1 {{expected relative of 'f32', got 'tensor<2x7xf16>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x7xf16>) : (tensor<1x2x4x3xf16>, tensor<1x2x4x3xf16>, tensor<1x2x4x3xf16>) -> tensor<1x2x4x3xf16>
  return
}

// -----

// xf.attention C11
func.func @relative_shape(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %t: tensor<2x8xf32>) {
  // expected-error@+1 {{expected relative of shape [2, 7], got 'tensor<2x8xf32>'}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x8xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C11
func.func @relative_queries(%q: tensor<1x2x5x3xf32>, %x: tensor<1x2x4x3xf32>, %t: tensor<2x7xf32>) {
  // expected-error@+1 {{expected no more queries than keys with relative, got 5 and 4}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x7xf32>) : (tensor<1x2x5x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x5x3xf32>
  return
}

// -----

// xf.attention C12
func.func @beta_and_relative(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>, %t: tensor<2x7xf32>) {
  // expected-error@+1 {{expected beta without relative, got both: no state carries a weight by distance}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) beta(%a : tensor<1x2x4xf32>) relative(%t : tensor<2x7xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// The default of favor in a causal pattern.
// xf.attention C12
func.func @beta_running(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>, %w: tensor<5x3xf32>) {
  // expected-error@+1 {{expected the stabilizer row or none with beta, in which a stabilizer of the keys would not cancel; got running}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<5x3xf32>) beta(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// xf.attention C12
func.func @beta_sequence(%q: tensor<1x2x4x3xf32>, %x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>, %w: tensor<5x3xf32>) {
  // expected-error@+1 {{expected the stabilizer row or none with beta, in which a stabilizer of the keys would not cancel; got sequence}}
  %o = xf.attention %q, %x, %x pattern(#xf.kernelized<feature = favor, stabilizer = sequence, of = #xf.causal>) params(%w : tensor<5x3xf32>) beta(%a : tensor<1x2x4xf32>) : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

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
