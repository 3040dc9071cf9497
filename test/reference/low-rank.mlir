// RUN: xf-reference %s --entry=identity --input=q=random(1) --input=k=random(2) --input=v=random(3) | FileCheck %s --check-prefix=IDENTITY
// RUN: xf-reference %s --entry=pooled --input=q=random(1) --input=k=random(2) --input=v=random(3) | FileCheck %s --check-prefix=POOLED
// RUN: xf-reference %s --entry=lengths --input=q=random(1) --input=v=2.0 | FileCheck %s --check-prefix=LENGTHS
// RUN: xf-reference %s --entry=maximum_lengths --input=q=random(1) | FileCheck %s --check-prefix=MAXIMUM
// RUN: xf-reference %s --entry=shared --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=separate --check-gradients=2 | FileCheck %s
// RUN: xf-reference %s --entry=pooling --check-gradients=3 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// E = I is dense attention; rows of E beyond the last key are not used.
// IDENTITY: result0 : 1x1x2x2 f64 = 0, 0, 0, 0
func.func @identity(%q: tensor<1x1x2x2xf64> {xf.name = "q"}, %k: tensor<1x1x3x2xf64> {xf.name = "k"}, %v: tensor<1x1x3x2xf64> {xf.name = "v"}) -> tensor<1x1x2x2xf64> {
  %e = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [5.0, 5.0, 5.0]]> : tensor<4x3xf64>
  %a = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e : tensor<4x3xf64>) : (tensor<1x1x2x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) -> tensor<1x1x2x2xf64>
  %b = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x2x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) -> tensor<1x1x2x2xf64>
  %d = xf.sub %a, %b : (tensor<1x1x2x2xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  return %d : tensor<1x1x2x2xf64>
}

// E = the block mean is the pooled form.
// POOLED: result0 : 1x1x2x2 f64 = 0, 0, 0, 0
func.func @pooled(%q: tensor<1x1x2x2xf64> {xf.name = "q"}, %k: tensor<1x1x4x2xf64> {xf.name = "k"}, %v: tensor<1x1x4x2xf64> {xf.name = "v"}) -> tensor<1x1x2x2xf64> {
  %e = arith.constant dense<[[0.5, 0.0], [0.5, 0.0], [0.0, 0.5], [0.0, 0.5]]> : tensor<4x2xf64>
  %a = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2>) params(%e : tensor<4x2xf64>) : (tensor<1x1x2x2xf64>, tensor<1x1x4x2xf64>, tensor<1x1x4x2xf64>) -> tensor<1x1x2x2xf64>
  %b = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2, projection = mean>) : (tensor<1x1x2x2xf64>, tensor<1x1x4x2xf64>, tensor<1x1x4x2xf64>) -> tensor<1x1x2x2xf64>
  %d = xf.sub %a, %b : (tensor<1x1x2x2xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  return %d : tensor<1x1x2x2xf64>
}

// Keys beyond the length are zero before they are projected: 1 of 3 values counts.
// LENGTHS: result0 : 1x1x1x1 f64 = 2
func.func @lengths(%q: tensor<1x1x1x1xf64> {xf.name = "q"}, %v: tensor<1x1x3x1xf64> {xf.name = "v"}) -> tensor<1x1x1x1xf64> {
  %k = arith.constant dense<[[[[1.0], [0x7FF8000000000000], [0x7FF8000000000000]]]]> : tensor<1x1x3x1xf64>
  %e = arith.constant dense<1.0> : tensor<3x1xf64>
  %n = arith.constant dense<1> : tensor<1xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 1>) params(%e : tensor<3x1xf64>) lengths(%n : tensor<1xi64>)
      : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x1x1xf64>
  return %o : tensor<1x1x1x1xf64>
}

// They are zeros in a maximum too: larger than -2, not than 3.
// MAXIMUM: result0 : 1x1x1x2 f64 = 0, 3
func.func @maximum_lengths(%q: tensor<1x1x1x1xf64> {xf.name = "q"}) -> tensor<1x1x1x2xf64> {
  %k = arith.constant dense<1.0> : tensor<1x1x2x1xf64>
  %v = arith.constant dense<[[[[-2.0, 3.0], [0x7FF8000000000000, 5.0]]]]> : tensor<1x1x2x2xf64>
  %n = arith.constant dense<1> : tensor<1xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 1, projection = max>) lengths(%n : tensor<1xi64>)
      : (tensor<1x1x1x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x1x2xf64>
  return %o : tensor<1x1x1x2xf64>
}

func.func @shared(%q: tensor<2x2x3x2xf64>, %k: tensor<2x1x4x2xf64>, %v: tensor<2x1x4x2xf64>, %e: tensor<5x3xf64>) -> (tensor<2x2x3x2xf64>, tensor<2x2x3xf64>) {
  %n = arith.constant dense<[4, 2]> : tensor<2xi64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e : tensor<5x3xf64>) lengths(%n : tensor<2xi64>)
      : (tensor<2x2x3x2xf64>, tensor<2x1x4x2xf64>, tensor<2x1x4x2xf64>) -> (tensor<2x2x3x2xf64>, tensor<2x2x3xf64>)
  return %o, %lse : tensor<2x2x3x2xf64>, tensor<2x2x3xf64>
}

func.func @separate(%q: tensor<1x1x3x2xf64>, %k: tensor<1x1x4x2xf64>, %v: tensor<1x1x4x2xf64>, %e: tensor<4x3xf64>, %f: tensor<4x3xf64>) -> tensor<1x1x3x2xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<4x3xf64>, tensor<4x3xf64>)
      : (tensor<1x1x3x2xf64>, tensor<1x1x4x2xf64>, tensor<1x1x4x2xf64>) -> tensor<1x1x3x2xf64>
  return %o : tensor<1x1x3x2xf64>
}

func.func @pooling(%q: tensor<1x1x3x2xf64>, %k: tensor<1x1x5x2xf64>, %v: tensor<1x1x5x2xf64>) -> (tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) {
  %mean = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2, projection = mean>) : (tensor<1x1x3x2xf64>, tensor<1x1x5x2xf64>, tensor<1x1x5x2xf64>) -> tensor<1x1x3x2xf64>
  %max = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2, projection = max>) : (tensor<1x1x3x2xf64>, tensor<1x1x5x2xf64>, tensor<1x1x5x2xf64>) -> tensor<1x1x3x2xf64>
  return %mean, %max : tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>
}
