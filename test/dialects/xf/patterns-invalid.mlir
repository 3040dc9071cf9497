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

// #xf.low_rank C1
func.func @rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected rank >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.strided C1, xf.attention C6
func.func @stride(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected stride >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.dilated C2
func.func @step(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected step >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 4, step = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window C1
func.func @number(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected left <= 2147483648, got 9000000000}}
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9000000000>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.window C2
func.func @window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a window with -left <= right, got left = -3, right = 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = -3, right = 2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.block C1
func.func @block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected size >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.block<size = 0, of = #xf.causal>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.fixed C1
func.func @fixed_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 0, summary = 1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.fixed C1
func.func @no_summary(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.fixed C2
func.func @summary(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary (slot + 1) <= block, got summary = 5, slot = 0, block = 4}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 5>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.fixed C2
func.func @slot(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected summary (slot + 1) <= block, got summary = 2, slot = 2, block = 4}}
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 4, summary = 2, slot = 2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.table C1
func.func @table_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @table_columns(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected columns >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 2, columns = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.random C1
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

// #xf.bigbird C1
func.func @bigbird_block(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected block >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.bigbird C1
func.func @bigbird_random(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected random >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<random = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.bigbird C1
func.func @bigbird_global(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected global >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<global = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.bigbird C1
func.func @bigbird_window(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected window >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<window = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.prefix C1
func.func @prefix(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected length >= 0, got -1}}
  %o = xf.attention %q, %k, %v pattern(#xf.prefix<length = -1>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.segments C1
func.func @relation_rows(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 2 numbers 0 or 1, got [0]}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0], [0]]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.segments C1
func.func @relation_numbers(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 2 numbers 0 or 1, got [0, 2]}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = [[1, 0], [0, 2]]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.segments C1
func.func @relation_words(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a relation of rows of 0 numbers 0 or 1, got "one"}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments<relation = ["one"]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
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

// #xf.keys C2
func.func @interval(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an interval's end >= 4, got 2}}
  %o = xf.attention %q, %k, %v pattern(#xf.keys<[4 : 2]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.queries C1
func.func @modulus(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected mod >= 0, got -2}}
  %o = xf.attention %q, %k, %v pattern(#xf.queries<[0 : 1], mod = -2>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// #xf.global C1
func.func @position(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected position <= 2147483648, got 9000000000}}
  %o = xf.attention %q, %k, %v pattern(#xf.global<[9000000000]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
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

func.func @parameters_of_none(%q: tensor<1x1x8x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{expected no parameters of #xf.causal, got '<'}}
  %o = xf.attention %q, %q, %q pattern(#xf.causal<left = 3>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.dilated C1
func.func @dilated_left(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected left <= 2147483648, got 9000000000}}
  %o = xf.attention %x, %x, %x pattern(#xf.dilated<left = 9000000000, step = 2>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
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

// #xf.keys C1
func.func @modulus_of_keys(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected mod >= 0, got -2}}
  %o = xf.attention %x, %x, %x pattern(#xf.keys<[0 : 1], mod = -2>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// #xf.queries C2
func.func @interval_of_queries(%x: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected an interval's end >= 4, got 2}}
  %o = xf.attention %x, %x, %x pattern(#xf.queries<[4 : 2]>) : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
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
