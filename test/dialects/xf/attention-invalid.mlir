// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.attention C1
func.func @rank_q(%q: tensor<4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected q of rank 4, got 'tensor<4x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C1
func.func @rank_k(%q: tensor<1x4x8x16xf32>, %k: tensor<2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected k of rank 4, got 'tensor<2x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C1
func.func @rank_v(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<2x8x16xf32>) {
  // expected-error@+1 {{expected v of rank 4, got 'tensor<2x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C1
func.func @batches(%q: tensor<1x4x8x16xf32>, %k: tensor<3x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected k of shape [1, 2, 8, 16], got 'tensor<3x2x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<3x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// Mismatched D.
// xf.attention C1
func.func @depth(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x15xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected k of shape [1, 2, 8, 16], got 'tensor<1x2x8x15xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x15xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// As many values as keys.
// xf.attention C1
func.func @keys(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x9x16xf32>) {
  // expected-error@+1 {{expected v of shape [1, 2, 8, 16], got 'tensor<1x2x9x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x9x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C2
func.func @key_heads(%q: tensor<1x4x8x16xf32>, %k: tensor<1x3x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a number of query heads that is a multiple of the key heads, got [4] and [3]}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x3x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C2
func.func @no_key_heads(%q: tensor<1x4x8x16xf32>, %k: tensor<1x0x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a number of query heads that is a multiple of the key heads, got [4] and [0]}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x0x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C2
func.func @value_heads(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x8x8x16xf32>) {
  // expected-error@+1 {{expected a number of query heads that is a multiple of the value heads, got [4] and [8]}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C3
func.func @types(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf64>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf64>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C3
func.func @result_type(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf16>
  return
}

// -----

// xf.attention C1
func.func @result_shape(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected o of shape [1, 4, 8, 16], got 'tensor<1x2x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return
}

// -----

// xf.attention C1
func.func @value_width(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x5xf32>) {
  // expected-error@+1 {{expected o of shape [1, 4, 8, 5], got 'tensor<1x4x8x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x5xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C1
func.func @lse_shape(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected lse of shape [1, 4, 8], got 'tensor<1x4x9xf32>'}}
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x9xf32>)
  return
}

// -----

// xf.attention C1
func.func @lse_type(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>) {
  // expected-error@+1 {{expected lse of 'f32', got 'tensor<1x4x8xf16>'}}
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> (tensor<1x4x8x16xf16>, tensor<1x4x8xf16>)
  return
}

// -----

// xf.attention C4
func.func @pairs(%q: tensor<1x1x4294967296x1xf32>, %k: tensor<1x1x4294967296x1xf32>, %v: tensor<1x1x4294967296x1xf32>) {
  // expected-error@+1 {{expected fewer than 2^63 pairs, got 'tensor<1x1x4294967296x1xf32>' and 'tensor<1x1x4294967296x1xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x4294967296x1xf32>, tensor<1x1x4294967296x1xf32>, tensor<1x1x4294967296x1xf32>) -> tensor<1x1x4294967296x1xf32>
  return
}

// -----

// xf.attention C5
func.func @scale_nan(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a finite scale, got nan}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) scale 0x7FF8000000000000 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C5
func.func @scale_inf(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a finite scale, got -inf}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) scale 0xFFF0000000000000 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C5
func.func @scale_none(%q: tensor<1x1x8x0xf32>, %k: tensor<1x1x8x0xf32>, %v: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{expected a scale where D is 0, got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x8x0xf32>, tensor<1x1x8x0xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

// xf.attention C7
func.func @lengths_shape(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{expected lengths of shape [1], got 'tensor<2xi64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) lengths(%n : tensor<2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @lengths_rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<i64>) {
  // expected-error@+1 {{expected lengths of shape [1], got 'tensor<i64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) lengths(%n : tensor<i64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @query_lengths(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<8xi64>) {
  // expected-error@+1 {{expected query_lengths of shape [1], got 'tensor<8xi64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) query_lengths(%n : tensor<8xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @no_segments(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a clause 'segments' (in C++, .query_segments and .key_segments) for the pattern, got none}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @segments_unused(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1x8xi32>) {
  // expected-error@+1 {{expected a pattern that uses the clause 'segments', got #xf.causal}}
  %o = xf.attention %q, %k, %v pattern(#xf.causal) segments(%n, %n : tensor<1x8xi32>, tensor<1x8xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @segments_of_queries(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1x7xi32>, %m: tensor<1x8xi32>) {
  // expected-error@+1 {{expected query segments of shape [1, 8], got 'tensor<1x7xi32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%n, %m : tensor<1x7xi32>, tensor<1x8xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @segments_of_keys(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1x8xi32>, %m: tensor<8xi32>) {
  // expected-error@+1 {{expected key segments of shape [1, 8], got 'tensor<8xi32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%n, %m : tensor<1x8xi32>, tensor<8xi32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

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

// -----

// xf.attention C7
func.func @params_unused(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x16xf32>) {
  // expected-error@+1 {{expected 0 params (in C++, .parameters) for the pattern, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) params(%w : tensor<8x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @no_features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected 1 params (in C++, .parameters) for the pattern, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @features(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<16x8xf32>) {
  // expected-error@+1 {{expected params of shape [?, 16], got 'tensor<16x8xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<16x8xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @feature_count(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<0x16xf32>) {
  // expected-error@+1 {{expected params of at least 1 rows, got 'tensor<0x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<0x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// E has fewer rows than there are keys.
// xf.attention C7
func.func @projection_rows(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<7x4xf32>) {
  // expected-error@+1 {{expected params of at least 8 rows, got 'tensor<7x4xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) params(%w : tensor<7x4xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @projection_rank(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x5xf32>) {
  // expected-error@+1 {{expected params of shape [?, 4], got 'tensor<8x5xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) params(%w : tensor<8x5xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @projections(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected 1 to 2 params (in C++, .parameters) for the pattern, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @pooled(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{expected 0 params (in C++, .parameters) for the pattern, got 1}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = mean>) params(%w : tensor<8x4xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @params_low_rank_heads(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<4x8x4xf32>) {
  // expected-error@+1 {{expected params of shape [2, ?, 4], got 'tensor<4x8x4xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) params(%w : tensor<4x8x4xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @params_low_rank_heads_rows(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<2x7x4xf32>) {
  // expected-error@+1 {{expected params of at least 8 rows, got 'tensor<2x7x4xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) params(%w : tensor<2x7x4xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @params_low_rank_element(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<8x4xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4>) params(%w : tensor<8x4xf64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @params_convolution_rows(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<4x16xf32>) {
  // expected-error@+1 {{expected params of shape [3, 16], got 'tensor<4x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3, projection = strided_conv>) params(%w : tensor<4x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C7
func.func @params_convolution_shared(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x5xf32>, %w: tensor<2x16xf32>) {
  // expected-error@+1 {{expected params of shape [2, 5], got 'tensor<2x16xf32>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = strided_conv>) params(%w : tensor<2x16xf32>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x5xf32>) -> tensor<1x4x8x5xf32>
  return
}

// -----

// xf.attention C7
func.func @params_convolution_missing(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %w: tensor<2x16xf32>) {
  // expected-error@+1 {{expected 1 to 2 params (in C++, .parameters) for the pattern, got 0}}
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = strided_conv>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C14
func.func @part_shape(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x16x16xf32>, %p: tensor<2xi64>) {
  // expected-error@+1 {{expected a part of shape [1, 2], got 'tensor<2xi64>'}}
  %o = xf.attention %q, %k, %k pattern(#xf.causal) part(%p : tensor<2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C14
func.func @part_states(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x16x16xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{expected a pattern of pairs where there is a part, got #xf.kernelized}}
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu>) part(%p : tensor<1x2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x8x16xf32>
  return
}
