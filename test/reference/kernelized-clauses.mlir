// RUN: xf-reference %s --entry=recurrences | FileCheck %s --check-prefix=RECURRENCES
// RUN: xf-reference %s --entry=distances | FileCheck %s --check-prefix=DISTANCES
// RUN: xf-reference %s --entry=region_equals_feature --input=x=random(1) --input=w=random(2) --input=dy=random(3) | FileCheck %s --check-prefix=REGION
// RUN: xf-reference %s --entry=decays --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=delta_rules --check-gradients=2 | FileCheck %s
// RUN: xf-reference %s --entry=distance_weights --check-gradients=3 | FileCheck %s
// RUN: xf-reference %s --entry=regions --check-gradients=4 | FileCheck %s
// RUN: xf-reference %s --entry=memory --check-gradients=5 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// phi(q) = phi(k) = 1 and v = 2, 4, 8: S = v_i + S / 2; S += (v_i - S) / 2; S = S / 2, then S += (v_i - S) / 2.
// RECURRENCES: decay : 1x1x3x1 f64 = 2, 5, 10.5
// RECURRENCES: delta : 1x1x3x1 f64 = 1, 2.5, 5.25
// RECURRENCES: both : 1x1x3x1 f64 = 1, 2.25, 4.5625
// With z, the same recurrence of v = 1: 1, 1.5, 1.75; 0.5, 0.75, 0.875.
// RECURRENCES: decay_sum : 1x1x3x1 f64 = 2, 3.333333, 6
// RECURRENCES: delta_sum : 1x1x3x1 f64 = 2, 3.333333, 6
func.func @recurrences() -> (tensor<1x1x3x1xf64> {xf.name = "decay"}, tensor<1x1x3x1xf64> {xf.name = "delta"}, tensor<1x1x3x1xf64> {xf.name = "both"}, tensor<1x1x3x1xf64> {xf.name = "decay_sum"}, tensor<1x1x3x1xf64> {xf.name = "delta_sum"}) {
  %x = arith.constant dense<1.0> : tensor<1x1x3x1xf64>
  %v = arith.constant dense<[[[[2.0], [4.0], [8.0]]]]> : tensor<1x1x3x1xf64>
  %half = arith.constant dense<0.5> : tensor<1x1x3xf64>
  %0 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) decay(%half : tensor<1x1x3xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %1 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) beta(%half : tensor<1x1x3xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %2 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) decay(%half : tensor<1x1x3xf64>) beta(%half : tensor<1x1x3xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %3 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, guard = 0.0, of = #xf.causal>) decay(%half : tensor<1x1x3xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %4 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, guard = 0.0, of = #xf.causal>) beta(%half : tensor<1x1x3xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  return %0, %1, %2, %3, %4 : tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>
}

// Weights 1 at distances up to 0, then 2 and 4, of v = 1, 10, 100; the last query alone has position 2.
// DISTANCES: all : 1x1x3x1 f64 = 421, 211, 111
// DISTANCES: last : 1x1x1x1 f64 = 111
func.func @distances() -> (tensor<1x1x3x1xf64> {xf.name = "all"}, tensor<1x1x1x1xf64> {xf.name = "last"}) {
  %x = arith.constant dense<1.0> : tensor<1x1x3x1xf64>
  %one = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %v = arith.constant dense<[[[[1.0], [10.0], [100.0]]]]> : tensor<1x1x3x1xf64>
  %t = arith.constant dense<[[0.0, 0.0, 0.0, 0.6931471805599453, 1.3862943611198906]]> : tensor<1x5xf64>
  %0 = xf.attention %x, %x, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) relative(%t : tensor<1x5xf64>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %1 = xf.attention %one, %x, %v pattern(#xf.kernelized<feature = identity, normalizer = none>) relative(%t : tensor<1x5xf64>) : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x1x1xf64>
  return %0, %1 : tensor<1x1x3x1xf64>, tensor<1x1x1x1xf64>
}

// softmax(W x) as a region, and as a feature with W.
// REGION: value : scalar f64 = {{0|.*e-1[5-9]}}{{$}}
// REGION: gradient : scalar f64 = {{0|.*e-1[5-9]}}{{$}}
func.func @by_region(%x: tensor<1x2x5x3xf64>, %w: tensor<4x3xf64>) -> tensor<1x2x5x3xf64> {
  %0 = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf64>) captures(%m = %w : tensor<4x3xf64>) {
         %u = xf.linear %row, %m : (tensor<3xf64>, tensor<4x3xf64>) -> tensor<4xf64>
         %phi = xf.softmax %u : tensor<4xf64>
         xf.yield %phi : tensor<4xf64>
       } : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0 : tensor<1x2x5x3xf64>
}
func.func @by_feature(%x: tensor<1x2x5x3xf64>, %w: tensor<4x3xf64>) -> tensor<1x2x5x3xf64> {
  %0 = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = softmax>) params(%w : tensor<4x3xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0 : tensor<1x2x5x3xf64>
}
func.func @region_equals_feature(%x: tensor<1x2x5x3xf64> {xf.name = "x"}, %w: tensor<4x3xf64> {xf.name = "w"}, %dy: tensor<1x2x5x3xf64> {xf.name = "dy"}) -> (tensor<f64> {xf.name = "value"}, tensor<f64> {xf.name = "gradient"}) {
  %0:3 = xf.vjp @by_region(%x, %w) cotangents(%dy : tensor<1x2x5x3xf64>) wrt [0, 1] : (tensor<1x2x5x3xf64>, tensor<4x3xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<4x3xf64>)
  %1:3 = xf.vjp @by_feature(%x, %w) cotangents(%dy : tensor<1x2x5x3xf64>) wrt [0, 1] : (tensor<1x2x5x3xf64>, tensor<4x3xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<4x3xf64>)
  %2 = xf.sub %0#0, %1#0 : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %3 = xf.abs %2 : tensor<1x2x5x3xf64>
  %4 = xf.reduce max %3 axes [0, 1, 2, 3] : tensor<1x2x5x3xf64> -> tensor<f64>
  %5 = xf.sub %0#2, %1#2 : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %6 = xf.abs %5 : tensor<4x3xf64>
  %7 = xf.reduce max %6 axes [0, 1] : tensor<4x3xf64> -> tensor<f64>
  return %4, %7 : tensor<f64>, tensor<f64>
}

// Of random sign, and so is beta below.
func.func @decays(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>, %a: tensor<1x2x5xf64>, %w: tensor<4x3xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<4x3xf64>) decay(%a : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = exp, normalizer = count, of = #xf.window<left = 2>>) decay(%a : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, normalizer = norm, of = #xf.intersection<[#xf.causal, #xf.fixed<block = 3, summary = 1, part = local>]>>) decay(%a : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0, %1, %2, %3 : tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>
}

func.func @delta_rules(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>, %a: tensor<1x2x5xf64>, %b: tensor<1x2x5xf64>, %w: tensor<4x3xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) beta(%b : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = none, of = #xf.causal>) decay(%a : tensor<1x2x5xf64>) beta(%b : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = none, of = #xf.causal>) params(%w : tensor<4x3xf64>) beta(%b : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = square, epsilon = 0.1, normalizer = norm, of = #xf.window<left = 2>>) decay(%a : tensor<1x2x5xf64>) beta(%b : tensor<1x2x5xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0, %1, %2, %3 : tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>
}

func.func @distance_weights(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>, %a: tensor<1x2x5xf64>, %w: tensor<4x3xf64>, %t: tensor<2x9xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x9xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = none>) params(%w : tensor<4x3xf64>) relative(%t : tensor<2x9xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<4x3xf64>) decay(%a : tensor<1x2x5xf64>) relative(%t : tensor<2x9xf64>) : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0, %1, %2 : tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>
}

func.func @regions(%q: tensor<1x2x5x3xf64>, %k: tensor<1x2x5x3xf64>, %v: tensor<1x2x5x3xf64>, %w: tensor<4x3xf64>, %s: tensor<4xf64>, %b: tensor<1x2x5xf64>) -> (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, epsilon = 0.1>) feature(%row : tensor<3xf64>) captures(%m = %w : tensor<4x3xf64>, %n = %s : tensor<4xf64>) {
         %u = xf.linear %row, %m : (tensor<3xf64>, tensor<4x3xf64>) -> tensor<4xf64>
         %e = xf.exp %u : tensor<4xf64>
         %z = xf.mul %e, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
         %y = xf.softmax %z : tensor<4xf64>
         xf.yield %y : tensor<4xf64>
       } : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, of = #xf.causal>) beta(%b : tensor<1x2x5xf64>) feature(%row : tensor<3xf64>) captures(%m = %w : tensor<4x3xf64>, %n = %s : tensor<4xf64>) {
         %u = xf.linear %row, %m : (tensor<3xf64>, tensor<4x3xf64>) -> tensor<4xf64>
         %e = xf.exp %u : tensor<4xf64>
         %z = xf.mul %e, %n : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
         %y = xf.softmax %z : tensor<4xf64>
         xf.yield %y : tensor<4xf64>
       } : (tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>) -> tensor<1x2x5x3xf64>
  return %0, %1 : tensor<1x2x5x3xf64>, tensor<1x2x5x3xf64>
}

// Fewer queries than keys, which share a head.
func.func @memory(%q: tensor<1x2x3x3xf64>, %k: tensor<1x1x5x3xf64>, %v: tensor<1x1x5x3xf64>, %a: tensor<1x2x5xf64>, %b: tensor<1x2x5xf64>, %t: tensor<2x9xf64>) -> (tensor<1x2x3x3xf64>, tensor<1x2x3x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = none, of = #xf.causal>) decay(%a : tensor<1x2x5xf64>) beta(%b : tensor<1x2x5xf64>) : (tensor<1x2x3x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x5x3xf64>) -> tensor<1x2x3x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x2x5xf64>) relative(%t : tensor<2x9xf64>) : (tensor<1x2x3x3xf64>, tensor<1x1x5x3xf64>, tensor<1x1x5x3xf64>) -> tensor<1x2x3x3xf64>
  return %0, %1 : tensor<1x2x3x3xf64>, tensor<1x2x3x3xf64>
}
