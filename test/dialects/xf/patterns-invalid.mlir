// RUN: xf-opt %s -split-input-file -verify-diagnostics

func.func @low_rank_causal(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 4>: projected keys have no positions}}
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.low_rank<rank = 4>]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @kernelized_inside(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.kernelized<feature = elu>}}
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.causal, #xf.kernelized<feature = elu>]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @epsilon_of_hyperbolic_features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the feature hyperbolic, got 1.000000e-03 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, epsilon = 1.0e-3>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @epsilon_of_trigonometric_features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the feature trigonometric, got 1.000000e+00 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, epsilon = 1.0, normalizer = none>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @leaking_stabilizer(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum over the sequence leaks the future; got sequence and epsilon = 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @leaking_segments(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.intersection<[#xf.window<left = 9>, #xf.keys<[0 : 4]>]>>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @running_epsilon(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = running, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @running_by_default(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected epsilon = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @running_guard(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected guard = 0 with the stabilizer running, got 9.9999999999999995E-7 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = running, guard = 1.0e-6, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @negative_guard(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected a finite guard >= 0, got -1.000000e+00 : f64}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, guard = -1.0>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @layer_major(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected order = index or granularity = position in a causal grid: tokens of the layers before see every position; got order = layer and granularity = token}}
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 2, of = #xf.causal, order = layer>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @layers(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected layers >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 0, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected rank >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @stride(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected stride >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @step(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected step >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 4, step = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @number(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected left <= 2147483648, got 9000000000}}
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9000000000>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a window with -left <= right, got left = -3, right = 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = -3, right = 2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected size >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.block<size = 0, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @fixed_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 0, summary = 1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @no_summary(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @summary(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary (slot + 1) <= block, got summary = 5, slot = 0, block = 4}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 5>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @slot(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary (slot + 1) <= block, got summary = 2, slot = 2, block = 4}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 2, slot = 2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @table_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @random(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected count >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = -1, seed = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @random_outside(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected stride >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = 1, seed = 0, outside = #xf.strided<stride = 0>>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @bigbird_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @bigbird_random(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected random >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<random = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @bigbird_global(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected global >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<global = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @bigbird_window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected window >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<window = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @prefix(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected length >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.prefix<length = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @relation_rows(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 2 numbers 0 or 1, got [0]}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0], [0]]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @relation_numbers(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 2 numbers 0 or 1, got [0, 2]}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0], [0, 2]]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @relation_words(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 0 numbers 0 or 1, got "one"}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = ["one"]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @permutation_twice(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a permutation of 3 positions, got 1 twice}}
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[0, 1, 1], of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @permutation_range(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a permutation of 3 positions, got 3}}
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[0, 1, 3], of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @difference(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected two members of a difference, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.difference<[#xf.causal]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of mod, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 0 == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @negative_divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of floordiv, got -2}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv -2 == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @symbolic_divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of floordiv}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv Nk == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @factor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a constant factor in every product of an affine set}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (Nk * i ge 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @extents(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected 2 values of radius, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 4], radius = [1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @extent(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected extent >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 0], radius = [1, 1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @no_extents(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected at least one extent, got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [], radius = []>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @radius(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected radius >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4], radius = [-1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @axis(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an axis in [0, 2), got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.lift<extents = [4, 4], axis = 2, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @swin_window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected window >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [8], window = [0], shift = [0]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @swin_shift(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a shift below the window 2, got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.swin<extents = [6], window = [2], shift = [2]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @interval(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an interval's end >= 4, got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.keys<[4 : 2]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @modulus(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected mod >= 0, got -2}}
  %o = xf.attention %q, %k, %v pattern(#xf.queries<[0 : 1], mod = -2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @position(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected position <= 2147483648, got 9000000000}}
  %o = xf.attention %q, %k, %v pattern(#xf.global<[9000000000]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// What a running maximum leaves in a sum depends on the order of the keys.
func.func @running_normalizer(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected the normalizer sum or norm with the stabilizer running, which does not cancel otherwise; got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, normalizer = none, of = #xf.causal>) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// The second head leaks.
func.func @layer_major_heads(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected order = index or granularity = position in a causal grid}}
  %o = xf.attention %q, %q, %q pattern(#xf.grid<layers = 2, of = #xf.heads<[#xf.dense, #xf.causal]>, order = layer>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @leaking_grid(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern}}
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = favor, epsilon = 1.0e-6, stabilizer = sequence, of = #xf.grid<layers = 2, of = #xf.causal>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @clamped_axes(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected at most 3 axes along which a clamped window moves, got 4}}
  %o = xf.attention %q, %q, %q pattern(#xf.window_nd<extents = [4, 4, 4, 4], radius = [1, 1, 1, 1], clamp = true>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @ceildiv(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of ceildiv, got 0}}
  %o = xf.attention %q, %q, %q pattern(#xf.affine<(i, j)[Nq, Nk] : (i ceildiv 0 - j ge 0)>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// Folded, the factor of i is 0.
func.func @products(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected numbers that stay below 2^62 in an affine set, got larger products}}
  %o = xf.attention %q, %q, %q pattern(#xf.affine<(i, j)[Nq, Nk] : (i * 4 * 4611686018427387904 - j ge 0)>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @parameters_of_none(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected no parameters of #xf.causal, got '<'}}
  %o = xf.attention %q, %q, %q pattern(#xf.causal<left = 3>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}
