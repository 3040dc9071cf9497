// RUN: xf-opt %s -split-input-file -verify-diagnostics
// Grids, permutations and layers ask for a number of tokens.

// #xf.window_nd C1
func.func @tokens(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected product of the extents <= 2147483648, got 10000000000}}
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [100000, 100000], radius = [1, 1]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// The keys are the tokens of a grid; queries are the last ones.
// xf.attention C6
func.func @tokens_of_window_nd(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 9 tokens in a grid of extents [3, 3], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [3, 3], radius = [1, 1]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_clamped(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 6 tokens in a grid of extents [2, 3], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [2, 3], radius = [1, 1], clamp = true>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_lift(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 16 tokens in a grid of extents [4, 4], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.lift<extents = [4, 4], axis = 0, of = #xf.causal>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_swin(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 16 tokens in a grid of extents [4, 4], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.swin<extents = [4, 4], window = [2, 2], shift = [1, 1]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_queries(%q: tensor<1x1x4x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 4 tokens in a grid of extents [2, 2], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.window_nd<extents = [2, 2], radius = [1, 1]>) : (tensor<1x1x4x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_permutation(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 3 tokens in a permutation of 3 positions, got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.permute<[2, 0, 1], of = #xf.causal>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_layers(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a multiple of 3 tokens in 3 layers, got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 3, of = #xf.causal, granularity = position, order = layer>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// Of the 3 blocks that 8 keys are.
// xf.attention C6
func.func @tokens_of_blocks(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 4 tokens in a grid of extents [2, 2], got 3}}
  %o = xf.attention %q, %k, %k pattern(#xf.block<size = 3, of = #xf.window_nd<extents = [2, 2], radius = [1, 1]>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_positions(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 5 tokens in a permutation of 5 positions, got 4}}
  %o = xf.attention %q, %k, %k pattern(#xf.grid<layers = 2, of = #xf.permute<[1, 0, 2, 3, 4], of = #xf.causal>, granularity = position>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.lift C3
func.func @tokens_of_axis(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 2 tokens in a permutation of 2 positions, got 4}}
  %o = xf.attention %q, %k, %k pattern(#xf.lift<extents = [2, 4], axis = 1, of = #xf.permute<[1, 0], of = #xf.causal>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_member(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 6 tokens in a grid of extents [6], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.heads<[#xf.causal, #xf.union<[#xf.causal, #xf.swin<extents = [6], window = [2], shift = [1]>]>]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_outside(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected 6 tokens in a grid of extents [6], got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.random<count = 1, seed = 0, outside = #xf.lift<extents = [6], axis = 0, of = #xf.causal>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C6
func.func @tokens_of_kernel(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a multiple of 3 tokens in 3 layers, got 8}}
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.grid<layers = 3, of = #xf.causal, granularity = position, order = layer>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}
