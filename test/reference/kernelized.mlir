// RUN: xf-reference %s --entry=sums | FileCheck %s --check-prefix=SUMS
// RUN: xf-reference %s --entry=stabilizers --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s --check-prefix=STABILIZERS
// RUN: xf-reference %s --entry=features --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=exponential --check-gradients=2 | FileCheck %s
// RUN: xf-reference %s --entry=running --check-gradients=3 | FileCheck %s
// RUN: xf-reference %s --entry=normalizers --check-gradients=4 | FileCheck %s
// RUN: xf-reference %s --entry=maxima --check-gradients=5 | FileCheck %s
// RUN: xf-reference %s --entry=maxima_of_causal_sums --check-gradients=6 | FileCheck %s
// RUN: xf-reference %s --entry=maxima_of_large_inputs --check-gradients=7 | FileCheck %s
// RUN: xf-reference %s --entry=ties | FileCheck %s --check-prefix=TIES

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// phi = relu: weights of row 0: (2); of row 1: (1, 3), of row 2 (-1): none, so 0 / guard.
// SUMS: sum : 1x1x3x1 f64 = 10, 17.5, 0
// SUMS: none : 1x1x3x1 f64 = 20, 70, 0
// SUMS: count : 1x1x3x1 f64 = 20, 35, 0
func.func @sums() -> (tensor<1x1x3x1xf64> {xf.name = "sum"}, tensor<1x1x3x1xf64> {xf.name = "none"}, tensor<1x1x3x1xf64> {xf.name = "count"}) {
  %q = arith.constant dense<[[[[2.0], [1.0], [-1.0]]]]> : tensor<1x1x3x1xf64>
  %k = arith.constant dense<[[[[1.0], [3.0], [5.0]]]]> : tensor<1x1x3x1xf64>
  %v = arith.constant dense<[[[[10.0], [20.0], [30.0]]]]> : tensor<1x1x3x1xf64>
  %sum = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, epsilon = 0.0, of = #xf.causal, guard = 1.0e-300>)
      : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %none = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, epsilon = 0.0, normalizer = none, of = #xf.causal>)
      : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  %count = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, epsilon = 0.0, normalizer = count, of = #xf.causal>)
      : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  return %sum, %none, %count : tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>
}

// Where epsilon and guard are 0 every stabiliser cancels.
// STABILIZERS: result0 : scalar f64 = {{[0-9.]+e-1[4-9]|0$}}
func.func @stabilizers(%q: tensor<1x2x4x3xf64> {xf.name = "q"}, %k: tensor<1x2x4x3xf64> {xf.name = "k"}, %v: tensor<1x2x4x3xf64> {xf.name = "v"}, %w: tensor<5x3xf64> {xf.name = "w"}) -> tensor<f64> {
  %none = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, stabilizer = none, guard = 0.0, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %row = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, stabilizer = row, guard = 0.0, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sequence = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, stabilizer = sequence, guard = 0.0, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %running = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %0 = xf.sub %row, %none : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.sub %sequence, %none : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.sub %running, %none : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %3 = xf.abs %0 : tensor<1x2x4x3xf64>
  %4 = xf.abs %1 : tensor<1x2x4x3xf64>
  %5 = xf.abs %2 : tensor<1x2x4x3xf64>
  %6 = xf.maximum %3, %4 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %7 = xf.maximum %5, %6 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %largest = xf.reduce max %7 axes [0, 1, 2, 3] : tensor<1x2x4x3xf64> -> tensor<f64>
  return %largest : tensor<f64>
}

// Every feature of Wx and of x.
func.func @features(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> tensor<1x2x4x3xf64> {
  %a0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb0 = xf.add %a0, %b0 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa1 = xf.add %sb0, %a1 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb1 = xf.add %sa1, %b1 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = exp, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = exp, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa2 = xf.add %sb1, %a2 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb2 = xf.add %sa2, %b2 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = square, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = square, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa3 = xf.add %sb2, %a3 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb3 = xf.add %sa3, %b3 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a4 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = abs, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b4 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = abs, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa4 = xf.add %sb3, %a4 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb4 = xf.add %sa4, %b4 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a5 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b5 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = sigmoid, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa5 = xf.add %sb4, %a5 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb5 = xf.add %sa5, %b5 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a6 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b6 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = identity, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa6 = xf.add %sb5, %a6 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb6 = xf.add %sa6, %b6 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %a7 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, epsilon = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %b7 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, guard = 20.0>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sa7 = xf.add %sb6, %a7 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %sb7 = xf.add %sa7, %b7 : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %sb7 : tensor<1x2x4x3xf64>
}

// Without a stabiliser.
func.func @exponential(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = none>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = none>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, stabilizer = none, guard = 20.0>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = none, scale_input = false>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1, %2, %3 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

// A running stabiliser cancels.
func.func @running(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = running, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = running, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

func.func @normalizers(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = none>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = count, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, normalizer = norm>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1, %2 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

// Gradients pass through maxima, of rows and of all keys that a query sees, where these do not cancel.
func.func @maxima(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.3, guard = 0.2>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, epsilon = 0.1>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %3 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, normalizer = none>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %4 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, guard = 0.5>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %5 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.0, guard = 0.0>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %6 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, normalizer = count>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %7 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = trigonometric, normalizer = none>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %8 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, normalizer = norm>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %9 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 0.1, of = #xf.window<left = 1, right = 1>>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

func.func @maxima_of_causal_sums(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %0 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = sequence, epsilon = 0.0, guard = 0.5, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, stabilizer = row, epsilon = 0.1, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = hyperbolic, stabilizer = sequence, normalizer = none, of = #xf.causal>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1, %2 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

// Epsilon outweighs the exponentials.
func.func @maxima_of_large_inputs(%q: tensor<1x2x4x3xf64>, %k: tensor<1x2x4x3xf64>, %v: tensor<1x2x4x3xf64>, %w: tensor<5x3xf64>) -> (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) {
  %c = arith.constant dense<4.0> : tensor<1x1x1x1xf64>
  %a = xf.mul %q, %c : (tensor<1x2x4x3xf64>, tensor<1x1x1x1xf64>) -> tensor<1x2x4x3xf64>
  %b = xf.mul %k, %c : (tensor<1x2x4x3xf64>, tensor<1x1x1x1xf64>) -> tensor<1x2x4x3xf64>
  %0 = xf.attention %a, %b, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %1 = xf.attention %a, %b, %v pattern(#xf.kernelized<feature = favor, stabilizer = row>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  %2 = xf.attention %a, %b, %v pattern(#xf.kernelized<feature = hyperbolic, epsilon = 0.0>) params(%w : tensor<5x3xf64>) : (tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>) -> tensor<1x2x4x3xf64>
  return %0, %1, %2 : tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>, tensor<1x2x4x3xf64>
}

// The first of equals: u = (1, 1), (1, 1), (0, 0) of keys 1, 1, 0, s = 1, so that a feature without epsilon is e^(-1/2) or e^-1, times
// v = 1, 2, 4 in a pair's sum. d_k without s is (0, 0, 8 e^-1), d_W is 3 e^(-1/2) of each feature, and d_s = -(6 e^(-1/2) + 8 e^-1).
// TIES: d_q : 1x1x1x1 f64 = {{-?0|-?[0-9.]+e-1[5-9]}}{{$}}
// TIES: d_k : 1x1x3x1 f64 = -6.582219, 0, 2.943036
// TIES: d_w : 2x1 f64 = -4.762628, 1.819592
func.func @first_of_equals(%q: tensor<1x1x1x1xf64>, %k: tensor<1x1x3x1xf64>, %v: tensor<1x1x3x1xf64>, %w: tensor<2x1xf64>) -> tensor<1x1x1x1xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, epsilon = 1.0, normalizer = none>) params(%w : tensor<2x1xf64>) : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x1x1xf64>
  return %o : tensor<1x1x1x1xf64>
}
func.func @ties() -> (tensor<1x1x1x1xf64> {xf.name = "o"}, tensor<1x1x1x1xf64> {xf.name = "d_q"}, tensor<1x1x3x1xf64> {xf.name = "d_k"}, tensor<2x1xf64> {xf.name = "d_w"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x1x1xf64>
  %k = arith.constant dense<[[[[1.0], [1.0], [0.0]]]]> : tensor<1x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]]]> : tensor<1x1x3x1xf64>
  %w = arith.constant dense<1.0> : tensor<2x1xf64>
  %one = arith.constant dense<1.0> : tensor<1x1x1x1xf64>
  %o, %dq, %dk, %dw = xf.vjp @first_of_equals(%q, %k, %v, %w) cotangents(%one : tensor<1x1x1x1xf64>) wrt [0, 1, 3] : (tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<2x1xf64>) -> (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<2x1xf64>)
  return %o, %dq, %dk, %dw : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x3x1xf64>, tensor<2x1xf64>
}
