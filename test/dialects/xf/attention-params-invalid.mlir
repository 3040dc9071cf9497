// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
