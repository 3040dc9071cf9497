// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
