// RUN: xf-opt %s -split-input-file -verify-diagnostics
// Kernelised patterns.

// #xf.kernelized C3
func.func @epsilon_of_hyperbolic_features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the feature hyperbolic, got 1.000000e-03 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, epsilon = 1.0e-3>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C3
func.func @epsilon_of_trigonometric_features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the feature trigonometric, got 1.000000e+00 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, epsilon = 1.0, normalizer = none>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C6
func.func @leaking_stabilizer(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum over the sequence leaks the future; got sequence and epsilon = 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C6
func.func @leaking_segments(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.intersection<[#xf.window<left = 9>, #xf.keys<[0 : 4]>]>>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C4
func.func @running_epsilon(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = running, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C4
func.func @running_by_default(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C4
func.func @running_guard(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected guard = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = running, guard = 1.0e-6, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C2
func.func @negative_guard(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected a finite guard >= 0, got -1.000000e+00 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, guard = -1.0>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// What a running maximum leaves in a sum depends on the order of the keys.
// #xf.kernelized C5
func.func @running_normalizer(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the normalizer sum or norm with the stabilizer running, which does not cancel otherwise; got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, normalizer = none, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.kernelized C6
func.func @leaking_grid(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern}}
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.grid<layers = 2, of = #xf.causal>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.kernelized C1
func.func @inside_kernelized(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}
