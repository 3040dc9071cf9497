// RUN: xf-reference %s --entry=causal --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=cross --check-gradients=2 | FileCheck %s
// RUN: xf-reference %s --entry=same --check-gradients=3 | FileCheck %s
// RUN: xf-reference %s --entry=score --check-gradients=4 | FileCheck %s
// RUN: xf-reference %s --entry=dropout --check-gradients=5 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// Grouped heads, and a cotangent of lse.
func.func @causal(%q: tensor<2x4x5x3xf64>, %k: tensor<2x2x5x3xf64>, %v: tensor<2x1x5x2xf64>) -> (tensor<2x4x5x2xf64>, tensor<2x4x5xf64>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<2x4x5x3xf64>, tensor<2x2x5x3xf64>, tensor<2x1x5x2xf64>) -> (tensor<2x4x5x2xf64>, tensor<2x4x5xf64>)
  return %o, %lse : tensor<2x4x5x2xf64>, tensor<2x4x5xf64>
}

// Empty rows, a scale, more queries than keys.
func.func @cross(%q: tensor<1x2x7x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x2xf64>) -> tensor<1x2x7x2xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 2>) scale 1.5 : (tensor<1x2x7x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x2xf64>) -> tensor<1x2x7x2xf64>
  return %o : tensor<1x2x7x2xf64>
}

// q = k = v: the three gradients add up.
func.func @same(%x: tensor<1x1x5x3xf64>) -> tensor<1x1x5x3xf64> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense) : (tensor<1x1x5x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x5x3xf64>) -> tensor<1x1x5x3xf64>
  return %o : tensor<1x1x5x3xf64>
}

// A soft cap of a bias by distance and a slope by head, both captured.
func.func @score(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>, %table: tensor<2x5xf64>, %slope: tensor<2xf64>) -> tensor<1x2x5x3xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f64, %b, %h, %i, %j) captures(%t = %table : tensor<2x5xf64>, %m = %slope : tensor<2xf64>) {
    %distance = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %distance] : tensor<2x5xf64>
    %factor = tensor.extract %m[%h] : tensor<2xf64>
    %integer = arith.index_cast %distance : index to i64
    %real = arith.sitofp %integer : i64 to f64
    %product = arith.mulf %factor, %real : f64
    %0 = arith.addf %s, %bias : f64
    %1 = arith.subf %0, %product : f64
    %2 = math.tanh %1 : f64
    xf.yield %2 : f64
  } : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %o : tensor<1x2x5x3xf64>
}

func.func @dropout(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64> {
  %seed = arith.constant dense<[5, 6]> : tensor<2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.dense) dropout(3.0e-1, %seed : tensor<2xi64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %o : tensor<1x2x5x3xf64>
}
