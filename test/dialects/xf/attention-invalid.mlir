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
