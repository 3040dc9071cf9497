// RUN: xf-opt %s -split-input-file -verify-diagnostics

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
