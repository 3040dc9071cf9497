// RUN: xf-reference %s --entry=clip | FileCheck %s --check-prefix=CLIP
// RUN: xf-reference %s --entry=adamw | FileCheck %s --check-prefix=ADAMW
// RUN: xf-reference %s --entry=sgd | FileCheck %s --check-prefix=SGD
// RUN: xf-reference %s --entry=master | FileCheck %s --check-prefix=MASTER

// The norm of (3, 4) is 5; a limit above it leaves the gradients as they are.
// CLIP: result0 : scalar f64 = 0.2
// CLIP: result1 : scalar f64 = 1
func.func @clip() -> (tensor<f32>, tensor<f32>) {
  %a = arith.constant dense<3.0> : tensor<1xf32>
  %b = arith.constant dense<4.0> : tensor<1x1xf32>
  %limited = xf.clip_scale %a, %b max_norm 1.0 : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<f32>
  %free = xf.clip_scale %a, %b max_norm 6.0 : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<f32>
  return %limited, %free : tensor<f32>, tensor<f32>
}

// Step 1: m' / (1 - beta1) = g = 2 and sqrt(v' / (1 - beta2)) = 2, so p' = 1 (1 - 0.5 0.25) - 0.5 2 / (2 + 2).
// ADAMW: parameter : 1 f64 = 0.625
// ADAMW: first : 1 f64 = 1
// ADAMW: second : 1 f64 = 1
func.func @adamw() -> (tensor<1xf32> {xf.name = "parameter"}, tensor<1xf32> {xf.name = "first"}, tensor<1xf32> {xf.name = "second"}) {
  %p = arith.constant dense<1.0> : tensor<1xf32>
  %g = arith.constant dense<4.0> : tensor<1xf32>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %step = arith.constant dense<1> : tensor<i64>
  %new, %m, %v = xf.adamw %p, %g, %zero, %zero rate %half step %step clip %half betas 5.0e-1, 7.5e-1 eps 2.0 decay 2.5e-1
      : tensor<1xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %new, %m, %v : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// g = 0.5 4 + 0.25 8 = 4; v' = 0.5 2 + 4 = 5; p' = 8 - 0.5 5.
// SGD: parameter : 1 f64 = 5.5
// SGD: velocity : 1 f64 = 5
func.func @sgd() -> (tensor<1xf32> {xf.name = "parameter"}, tensor<1xf32> {xf.name = "velocity"}) {
  %p = arith.constant dense<8.0> : tensor<1xf32>
  %g = arith.constant dense<4.0> : tensor<1xf32>
  %v = arith.constant dense<2.0> : tensor<1xf32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %new, %velocity = xf.sgd %p, %g, %v rate %half clip %half momentum 5.0e-1 decay 2.5e-1 : tensor<1xf32>, tensor<f32>, tensor<f32>
  return %new, %velocity : tensor<1xf32>, tensor<1xf32>
}

// 1.001 rounds to 1 and is taken; 3 does not, and the parameter is.
// MASTER: parameter : 2 f64 = 0.501, 0.5
// MASTER: velocity : 2 f64 = 1, 1
// MASTER: master : 2 f64 = 0.501, 0.5
func.func @master() -> (tensor<2xbf16> {xf.name = "parameter"}, tensor<2xf32> {xf.name = "velocity"}, tensor<2xf32> {xf.name = "master"}) {
  %p = arith.constant dense<1.0> : tensor<2xbf16>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %w = arith.constant dense<[1.001, 3.0]> : tensor<2xf32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %new, %velocity, %master = xf.sgd %p, %p, %zero master %w rate %half clip %one momentum 0.0 decay 0.0 : tensor<2xbf16> master tensor<2xf32>, tensor<f32>, tensor<f32>
  return %new, %velocity, %master : tensor<2xbf16>, tensor<2xf32>, tensor<2xf32>
}
