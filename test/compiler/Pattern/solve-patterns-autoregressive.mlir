// RUN: xf-opt --xf-solve-patterns -split-input-file -verify-diagnostics %s

// What is proved causal may stand in an autoregressive model.
func.func @autoregressive(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.window<left = 5>, #xf.affine<(i, j)[Nq, Nk] : (i - j - 1 ge 0, (i + j) mod 16 == 0)>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// Of -3, .., 8, multiples of 4 are not negative.
func.func @autoregressive_proof(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  %o = xf.attention %x, %x, %x pattern(#xf.intersection<[#xf.window<left = 8, right = 3>, #xf.affine<(i, j)[Nq, Nk] : ((i - j) mod 4 == 0)>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_dense' is marked xf.autoregressive}}
func.func @autoregressive_dense(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.dense}}
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_window' is marked xf.autoregressive}}
func.func @autoregressive_window(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.window<left = 4, right = 1>}}
  %o = xf.attention %x, %x, %x pattern(#xf.window<left = 4, right = 1>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_heads' is marked xf.autoregressive}}
func.func @autoregressive_heads(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.heads<[#xf.causal, #xf.dense]>}}
  %o = xf.attention %x, %x, %x pattern(#xf.heads<[#xf.causal, #xf.dense]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_union' is marked xf.autoregressive}}
func.func @autoregressive_union(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.union<[#xf.causal, #xf.keys<[0 : 4]>]>}}
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.causal, #xf.keys<[0 : 4]>]>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_prefix' is marked xf.autoregressive}}
func.func @autoregressive_prefix(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.prefix<length = 4>}}
  %o = xf.attention %x, %x, %x pattern(#xf.prefix<length = 4>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-note @+1 {{'autoregressive_low_rank' is marked xf.autoregressive}}
func.func @autoregressive_low_rank(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> attributes {xf.autoregressive} {
  // expected-error @+1 {{expected a pattern that is provably a subset of causal, got #xf.low_rank<rank = 4, projection = mean>}}
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 4, projection = mean>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// -----

// expected-error @+1 {{expected the unit attribute 'xf.autoregressive' on a function}}
func.func @autoregressive_value(%x: tensor<4xf32>) attributes {xf.autoregressive = 1 : i64} {
  return
}
