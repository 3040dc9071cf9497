// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.intersection C2
func.func @low_rank_causal(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 4>: projected keys have no positions}}
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.low_rank<rank = 4>]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.heads C2
func.func @kernelized_inside(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.kernelized<feature = elu>}}
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.causal, #xf.kernelized<feature = elu>]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.difference C1
func.func @difference(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected two members of a difference, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.difference<[#xf.causal]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.affine C1
func.func @divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of mod, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 0 == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.affine C1
func.func @negative_divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of floordiv, got -2}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv -2 == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.affine C1
func.func @symbolic_divisor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a positive constant on the right of floordiv}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i floordiv Nk == 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.affine C1
func.func @factor(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a constant factor in every product of an affine set}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (Nk * i ge 0)>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.affine C1
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

// #xf.block C2
func.func @inside_block(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.block<size = 2, of = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.random C2
func.func @inside_random(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 1, seed = 0, outside = #xf.low_rank<rank = 2>>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.affine C2
func.func @affine_number(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected numbers up to 2147483648 in an affine set, got -3000000000}}
  %o = xf.attention %x, %x, %x pattern(#xf.affine<(i, j)[Nq, Nk] : (i - j ge 3000000000)>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.union C2
func.func @inside_union(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.causal, #xf.low_rank<rank = 2>]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.difference C2
func.func @inside_difference(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions}}
  %o = xf.attention %x, %x, %x pattern(#xf.difference<[#xf.causal, #xf.low_rank<rank = 2>]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.union C1
// expected-error@+2 {{expected attribute value}}
// expected-error@+1 {{failed to parse Xf_UnionPattern parameter 'members'}}
func.func private @no_members() attributes {pattern = #xf.union<[]>}

// -----

// #xf.intersection C1
// expected-error@+2 {{expected attribute value}}
// expected-error@+1 {{failed to parse Xf_IntersectionPattern parameter 'members'}}
func.func private @no_members() attributes {pattern = #xf.intersection<[]>}

// -----

// #xf.heads C1
// expected-error@+2 {{expected attribute value}}
// expected-error@+1 {{failed to parse Xf_HeadsPattern parameter 'members'}}
func.func private @no_members() attributes {pattern = #xf.heads<[]>}
