// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention C7
func.func @no_table(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a clause 'table' (in C++, .table_columns) for the pattern, got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.causal, #xf.table<block = 2>]>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @table_unused(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<5xi32>) {
  // expected-error@+1 {{expected a pattern that uses the clause 'table', got #xf.dense}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) table(%n, %n : tensor<5xi32>, tensor<5xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @table_rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<5x1xi32>) {
  // expected-error@+1 {{expected a table of rank 1, got 'tensor<5x1xi32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 2>) table(%n, %n : tensor<5x1xi32>, tensor<5x1xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @table_offsets(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<0xi32>) {
  // expected-error@+1 {{expected at least one table offset, got 'tensor<0xi32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 2>) table(%n, %n : tensor<0xi32>, tensor<0xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @table_columns(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1x2x8x3xi32>) {
  // expected-error@+1 {{expected table columns RxC with nothing, [1] or [1, 4] before them, or offsets and columns of rank 1, got 'tensor<1x2x8x3xi32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 2>) table(%n : tensor<1x2x8x3xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @no_symbol(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected 1 symbols for the pattern, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.prefix) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @symbols_unused(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected 0 symbols for the pattern, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) symbols(%n : tensor<i64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @symbols_of_affine(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected 2 symbols for the pattern, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk, a, b] : (i - j + a - b ge 0)>) symbols(%n : tensor<i64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @symbol_shape(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<4xi64>) {
  // expected-error@+1 {{expected a symbol of shape [], [1] or [1, 4], got 'tensor<4xi64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.prefix) symbols(%n : tensor<4xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @symbol_rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1x4x8xi64>) {
  // expected-error@+1 {{expected a symbol of shape [], [1] or [1, 4], got 'tensor<1x4x8xi64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.prefix) symbols(%n : tensor<1x4x8xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}
