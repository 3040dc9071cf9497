// RUN: xf-opt %s -split-input-file -verify-diagnostics
// Scores: their region, dropout, and kernelised attention, which has none.

// xf.attention C8
func.func @dropout_probability(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{expected a probability of dropout in [0, 1], got -0.5}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) dropout(-0.5, %n : tensor<2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C8
func.func @dropout_nan(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{expected a probability of dropout in [0, 1], got NaN}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) dropout(0x7FF8000000000000, %n : tensor<2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C8
func.func @dropout_seed(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<1xi64>) {
  // expected-error@+1 {{expected a seed of shape [2], got 'tensor<1xi64>'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) dropout(0.5, %n : tensor<1xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C10
func.func @dropout_kernelized(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{expected kernelised attention without dropout, got one}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) dropout(0.5, %n : tensor<2xi64>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C10
func.func @score_kernelized(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected kernelised attention without a score region, got one}}
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) score(%s : f32, %b, %h, %i, %j) { xf.yield %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C10
func.func @lse_kernelized(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected kernelised attention without an lse result, got one}}
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  return
}

// -----

// xf.attention C9
func.func @score_argument(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f64', 'index', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f64, %b, %h, %i, %j) { xf.yield %s : f64 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_index(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f32', 'i64', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b : i64, %h, %i, %j) { xf.yield %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// Scores of f16 are f32.
// xf.attention C9
func.func @score_half(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>) {
  // expected-error@+1 {{expected a score region that takes ('f32', index, index, index, index, captures..), got 'f16', 'index', 'index', 'index', 'index'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f16, %b, %h, %i, %j) { xf.yield %s : f16 } : (tensor<1x4x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x4x8x16xf16>
  return
}

// -----

// xf.attention C9
func.func @score_yield(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected the score region to yield one 'f32', got 'f32', 'f32'}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) { xf.yield %s, %s : f32, f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_op(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected an element-wise arith or math op or tensor.extract inside xf.attention}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %q : tensor<1x4x8x16xf32>) { %u = xf.neg %t : tensor<1x4x8x16xf32> xf.yield %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// xf.attention C9
func.func @score_end(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{expected xf.yield at the end of the region of xf.attention}}
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) { func.return %s : f32 } : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}
