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
