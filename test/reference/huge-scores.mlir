// RUN: xf-reference %s --entry=gradients | FileCheck %s
// RUN: xf-reference %s --entry=written | FileCheck %s --check-prefix=WRITTEN

// Scores so large that log 4 has no digits beside them: P = 1/4 all the same, o = (1 + 2 + 3 + 6) / 4, dS = (v - o) / 4,
// d_q = sum dS k, d_k = 2 dS, d_v = 1/4.
// CHECK: o : 1x1x1x1 f64 = 3
// CHECK: d_q : 1x1x1x1 f64 = 2
// CHECK: d_k : 1x1x4x1 f64 = -1, -0.5, 0, 1.5
// CHECK: d_v : 1x1x4x1 f64 = 0.25, 0.25, 0.25, 0.25
//
// The same of one that is written beside its attention, with all keys 1e10 and the query -1e10.
// WRITTEN: o : 1x1x1x1 f64 = 3
// WRITTEN: d_v : 1x1x4x1 f64 = 0.25, 0.25, 0.25, 0.25
func.func private @attend(%q: tensor<1x1x1x1xf64>, %k: tensor<1x1x4x1xf64>, %v: tensor<1x1x4x1xf64>) -> tensor<1x1x1x1xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f64, %b, %h, %i, %j) {
    %low = arith.constant -1.0e20 : f64
    %t = arith.addf %s, %low : f64
    xf.yield %t : f64
  } : (tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> tensor<1x1x1x1xf64>
  return %o : tensor<1x1x1x1xf64>
}

func.func @gradients() -> (tensor<1x1x1x1xf64> {xf.name = "o"}, tensor<1x1x1x1xf64> {xf.name = "d_q"}, tensor<1x1x4x1xf64> {xf.name = "d_k"}, tensor<1x1x4x1xf64> {xf.name = "d_v"}) {
  %q = arith.constant dense<2.0> : tensor<1x1x1x1xf64>
  %k = arith.constant dense<[[[[1.0], [2.0], [3.0], [4.0]]]]> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [3.0], [6.0]]]]> : tensor<1x1x4x1xf64>
  %do = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %o, %dq, %dk, %dv = xf.vjp @attend(%q, %k, %v) cotangents(%do : tensor<1x1x1x1xf64>) wrt [0, 1, 2]
      : (tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>)
      -> (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>)
  return %o, %dq, %dk, %dv : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>
}

func.func @written() -> (tensor<1x1x1x1xf64> {xf.name = "o"}, tensor<1x1x1x1xf64> {xf.name = "d_q"}, tensor<1x1x4x1xf64> {xf.name = "d_k"}, tensor<1x1x4x1xf64> {xf.name = "d_v"}) {
  %q = arith.constant dense<-1.0e10> : tensor<1x1x1x1xf64>
  %k = arith.constant dense<1.0e10> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [3.0], [6.0]]]]> : tensor<1x1x4x1xf64>
  %do = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>)
      -> (tensor<1x1x1x1xf64>, tensor<1x1x1xf64>)
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %lse, %do pattern(#xf.dense)
      : (tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1x1xf64>)
      -> (tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>)
  return %o, %dq, %dk, %dv : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>
}
