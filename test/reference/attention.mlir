// RUN: xf-reference %s --entry=softmax | FileCheck %s --check-prefix=SOFTMAX
// RUN: xf-reference %s --entry=hidden | FileCheck %s --check-prefix=HIDDEN
// RUN: xf-reference %s --entry=empty_rows --vjp --input=q=1.0 --input=d_o=1.0 --input=d_lse=1.0 | FileCheck %s --check-prefix=EMPTY
// RUN: xf-reference %s --entry=visible_infinity | FileCheck %s --check-prefix=INFINITY
// RUN: xf-reference %s --entry=heads | FileCheck %s --check-prefix=HEADS
// RUN: xf-reference %s --entry=dropout | FileCheck %s --check-prefix=DROPOUT
// RUN: xf-reference %s --entry=vjp | FileCheck %s --check-prefix=VJP

// scale <q, k> = 0, log 3: P = (1/4, 3/4); the scale defaults to 4^-1/2.
// SOFTMAX: o : 1x1x1x2 f64 = 0.75, 1
// SOFTMAX: lse : 1x1x1 f64 = 1.386294
func.func @softmax() -> (tensor<1x1x1x2xf64> {xf.name = "o"}, tensor<1x1x1xf64> {xf.name = "lse"}) {
  %q = arith.constant dense<[[[[1.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x1x4xf64>
  %k = arith.constant dense<[[[[0.0, 1.0, 1.0, 1.0], [2.1972245773362196, 1.0, 1.0, 1.0]]]]> : tensor<1x1x2x4xf64>
  %v = arith.constant dense<[[[[0.0, 4.0], [1.0, 0.0]]]]> : tensor<1x1x2x2xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x4xf64>, tensor<1x1x2x4xf64>, tensor<1x1x2x2xf64>)
      -> (tensor<1x1x1x2xf64>, tensor<1x1x1xf64>)
  return %o, %lse : tensor<1x1x1x2xf64>, tensor<1x1x1xf64>
}

// What stands at a pair outside the set, or at a score of -inf, is not observable; a very negative score is no mask.
// HIDDEN: masked : 1x1x2x1 f64 = 1, 5
// HIDDEN: scored : 1x1x2x1 f64 = 1, 1
// HIDDEN: low : 1x1x1x1 f64 = 2
func.func @hidden() -> (tensor<1x1x2x1xf64> {xf.name = "masked"}, tensor<1x1x2x1xf64> {xf.name = "scored"}, tensor<1x1x1x1xf64> {xf.name = "low"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x2x1xf64>
  %k = arith.constant dense<[[[[0.0], [0x7FF8000000000000], [0.0]]]]> : tensor<1x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [0x7FF0000000000000], [9.0]]]]> : tensor<1x1x3x1xf64>
  %masked = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.keys<[0 : 1, 2 : 3]>]>)
      : (tensor<1x1x2x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x2x1xf64>
  %scored = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f64, %b, %h, %i, %j) {
    %zero = arith.constant 0 : index
    %first = arith.cmpi eq, %j, %zero : index
    %hidden = arith.constant 0xFFF0000000000000 : f64
    %t = arith.select %first, %s, %hidden : f64
    xf.yield %t : f64
  } : (tensor<1x1x2x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x2x1xf64>
  %one = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %far = arith.constant dense<-1.0e308> : tensor<1x1x1x1xf64>
  %value = arith.constant dense<2.0> : tensor<1x1x1x1xf64>
  %low = xf.attention %one, %far, %value pattern(#xf.dense) : (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>) -> tensor<1x1x1x1xf64>
  return %masked, %scored, %low : tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x1x1xf64>
}

// Row 0 sees nothing: o = 0, lse = -inf, no gradient.
// EMPTY: o : 1x1x2x1 f64 = 0, 7
// EMPTY: lse : 1x1x2 f64 = -inf, 2
// EMPTY: d_q : 1x1x2x1 f64 = 0, 2
func.func @empty_rows(%q: tensor<1x1x2x1xf64> {xf.name = "q"}) -> (tensor<1x1x2x1xf64> {xf.name = "o"}, tensor<1x1x2xf64> {xf.name = "lse"}) {
  %k = arith.constant dense<2.0> : tensor<1x1x1x1xf64>
  %v = arith.constant dense<7.0> : tensor<1x1x1x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x2x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>)
      -> (tensor<1x1x2x1xf64>, tensor<1x1x2xf64>)
  return %o, %lse : tensor<1x1x2x1xf64>, tensor<1x1x2xf64>
}

// A visible score of +inf makes its row NaN and no other.
// INFINITY: o : 1x1x2x1 f64 = 1, nan
// INFINITY: lse : 1x1x2 f64 = 0, nan
func.func @visible_infinity() -> (tensor<1x1x2x1xf64> {xf.name = "o"}, tensor<1x1x2xf64> {xf.name = "lse"}) {
  %q = arith.constant dense<[[[[0.0], [1.0]]]]> : tensor<1x1x2x1xf64>
  %k = arith.constant dense<[[[[0.0], [0x7FF0000000000000]]]]> : tensor<1x1x2x1xf64>
  %v = arith.constant dense<1.0> : tensor<1x1x2x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>)
      -> (tensor<1x1x2x1xf64>, tensor<1x1x2xf64>)
  return %o, %lse : tensor<1x1x2x1xf64>, tensor<1x1x2xf64>
}

// Four heads on one key head and two value heads: head h reads value head floor(2 h / 4).
// HEADS: result0 : 1x4x1x1 f64 = 10, 10, 20, 20
func.func @heads() -> tensor<1x4x1x1xf32> {
  %q = arith.constant dense<1.0> : tensor<1x4x1x1xf32>
  %k = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %v = arith.constant dense<[[[[10.0]], [[20.0]]]]> : tensor<1x2x1x1xf32>
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x4x1x1xf32>
  return %o : tensor<1x4x1x1xf32>
}

// Key 0 draws the word 6627e8d5 of Philox, below 2^31, keys 1 to 3 words above: 3 of 4 keys stay, each with 2 / 4.
// DROPOUT: o : 1x1x1x1 f64 = 555
// DROPOUT: lse : 1x1x1 f64 = 1.386294
func.func @dropout() -> (tensor<1x1x1x1xf32> {xf.name = "o"}, tensor<1x1x1xf32> {xf.name = "lse"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x1x1xf32>
  %k = arith.constant dense<0.0> : tensor<1x1x4x1xf32>
  %v = arith.constant dense<[[[[1.0], [10.0], [100.0], [1000.0]]]]> : tensor<1x1x4x1xf32>
  %seed = arith.constant dense<0> : tensor<2xi64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) dropout(5.0e-1, %seed : tensor<2xi64>)
      : (tensor<1x1x1x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %o, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// P = (1/2, 1/2), o = 2, D = 2: d_s = (-1, 1), d_q = scale (k1 - k0), d_k = scale d_s q.
// VJP: d_q : 1x1x1x2 f64 = {{0|1.1[0-9]*e-16}}, 1
// VJP: d_k : 1x1x2x2 f64 = -0.5, 0, 0.5, 0
// VJP: d_v : 1x1x2x1 f64 = 0.5, 0.5
func.func @vjp() -> (tensor<1x1x1x2xf64> {xf.name = "d_q"}, tensor<1x1x2x2xf64> {xf.name = "d_k"}, tensor<1x1x2x1xf64> {xf.name = "d_v"}) {
  %q = arith.constant dense<[[[[1.0, 0.0]]]]> : tensor<1x1x1x2xf64>
  %k = arith.constant dense<[[[[2.0, 3.0], [2.0, 5.0]]]]> : tensor<1x1x2x2xf64>
  %v = arith.constant dense<[[[[0.0], [4.0]]]]> : tensor<1x1x2x1xf64>
  %do = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) scale 5.0e-1
      : (tensor<1x1x1x2xf64>, tensor<1x1x2x2xf64>, tensor<1x1x2x1xf64>) -> (tensor<1x1x1x1xf64>, tensor<1x1x1xf64>)
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %lse, %do pattern(#xf.dense) scale 5.0e-1
      : (tensor<1x1x1x2xf64>, tensor<1x1x2x2xf64>, tensor<1x1x2x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1x1xf64>)
      -> (tensor<1x1x1x2xf64>, tensor<1x1x2x2xf64>, tensor<1x1x2x1xf64>)
  return %dq, %dk, %dv : tensor<1x1x1x2xf64>, tensor<1x1x2x2xf64>, tensor<1x1x2x1xf64>
}
