// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
