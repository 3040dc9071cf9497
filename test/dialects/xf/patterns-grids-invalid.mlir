// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.grid C3
func.func @layer_major(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected order = index or granularity = position in a causal grid: tokens of the layers before see every position; got order = layer and granularity = token}}
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 2, of = #xf.causal, order = layer>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.grid C1
func.func @layers(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected layers >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 0, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.permute C1
func.func @permutation_twice(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a permutation of 3 positions, got 1 twice}}
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[0, 1, 1], of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.permute C1
func.func @permutation_range(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a permutation of 3 positions, got 3}}
  %o = xf.attention %q, %k, %v pattern(#xf.permute<[0, 1, 3], of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// The second head leaks.
// #xf.grid C3
func.func @layer_major_heads(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected order = index or granularity = position in a causal grid}}
  %o = xf.attention %q, %q, %q pattern(#xf.grid<layers = 2, of = #xf.heads<[#xf.dense, #xf.causal]>, order = layer>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.permute C2
func.func @inside_permute(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.permute<[0, 1, 2, 3, 4, 5, 6, 7], of = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.grid C2
func.func @inside_grid(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.grid<layers = 2, of = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}
