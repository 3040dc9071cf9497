// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.low_rank C1
func.func @rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected rank >= 1, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 0>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
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
