// RUN: xf-reference %s --entry=norms | FileCheck %s --check-prefix=NORMS
// RUN: xf-reference %s --entry=reductions | FileCheck %s --check-prefix=REDUCTIONS
// RUN: xf-reference %s --entry=softmax_vjp | FileCheck %s --check-prefix=SOFTMAX-VJP
// RUN: xf-reference %s --entry=norms_vjp | FileCheck %s --check-prefix=NORMS-VJP
// RUN: xf-reference %s --entry=first_largest --vjp --input=d_y=1.0 --input=x=3.0 | FileCheck %s --check-prefix=FIRST
// RUN: xf-reference %s --entry=reduce_max_vjp | FileCheck %s --check-prefix=MAX-VJP
// RUN: xf-reference %s --entry=gradients --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=reduction_gradients --check-gradients=2 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// mean 2, variance 1; mean square 5.
// NORMS: layer : 1x2 f64 = -9, 21
// NORMS: rms : 1x2 f64 = 0.4472136, 1.341641
// NORMS: softmax : 1x2 f64 = 0.1192029, 0.8807971
func.func @norms() -> (tensor<1x2xf32> {xf.name = "layer"}, tensor<1x2xf32> {xf.name = "rms"}, tensor<1x2xf32> {xf.name = "softmax"}) {
  %x = arith.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %w = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %b = arith.constant dense<1.0> : tensor<2xf32>
  %layer = xf.layer_norm %x weight(%w : tensor<2xf32>) bias(%b : tensor<2xf32>) eps 0.0 : tensor<1x2xf32> -> tensor<1x2xf32>
  %rms = xf.rms_norm %x eps 0.0 : tensor<1x2xf32> -> tensor<1x2xf32>
  %softmax = xf.softmax %x : tensor<1x2xf32>
  return %layer, %rms, %softmax : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

// REDUCTIONS: sum : 2 f64 = 5, 7
// REDUCTIONS: mean : scalar f64 = 3
// REDUCTIONS: max : 2 f64 = 4, 5
func.func @reductions() -> (tensor<2xf32> {xf.name = "sum"}, tensor<f32> {xf.name = "mean"}, tensor<2xf32> {xf.name = "max"}) {
  %x = arith.constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %sum = xf.reduce sum %x axes [0] : tensor<2x2xf32> -> tensor<2xf32>
  %mean = xf.reduce mean %x axes [0, 1] : tensor<2x2xf32> -> tensor<f32>
  %max = xf.reduce max %x axes [0] : tensor<2x2xf32> -> tensor<2xf32>
  return %sum, %mean, %max : tensor<2xf32>, tensor<f32>, tensor<2xf32>
}

// Of equal elements the first has the gradient.
// FIRST: d_x : 3 f64 = 1, 0, 0
func.func @first_largest(%x: tensor<3xf32> {xf.name = "x"}) -> (tensor<f32> {xf.name = "y"}) {
  %y = xf.reduce max %x axes [0] : tensor<3xf32> -> tensor<f32>
  return %y : tensor<f32>
}

// A NaN is the largest; of two the first.
// MAX-VJP: result0 : 2x3 f64 = 0, 10, 0, 20, 0, 0
func.func @reduce_max_vjp() -> tensor<2x3xf32> {
  %x = arith.constant dense<[[1.0, 0x7FC00000, 0x7FC00000], [5.0, 5.0, 4.0]]> : tensor<2x3xf32>
  %dy = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %dx = xf.reduce_max_vjp %x, %dy axes [1] : tensor<2x3xf32>, tensor<2xf32>
  return %dx : tensor<2x3xf32>
}

// y (dy - sum(y dy)), sum = 0.25.
// SOFTMAX-VJP: result0 : 2 f64 = 0.1875, -0.1875
func.func @softmax_vjp() -> tensor<2xf32> {
  %y = arith.constant dense<[0.25, 0.75]> : tensor<2xf32>
  %dy = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %dx = xf.softmax_vjp %y, %dy : tensor<2xf32>
  return %dx : tensor<2xf32>
}

// layer: r = (-1, 1), two channels leave nothing of dx; rms of (3, 4) with deviation 3.535534: r = (0.848528, 1.131371),
// dx = (dy - r mean(dy r)) / 3.535534.
// NORMS-VJP: d_x : 1x2 f64 = 0, 0
// NORMS-VJP: d_weight : 2 f64 = -5, 0
// NORMS-VJP: d_bias : 2 f64 = 5, 0
// NORMS-VJP: d_rms : 1x2 f64 = 0.9050967, -0.6788225
func.func @norms_vjp() -> (tensor<1x2xf32> {xf.name = "d_x"}, tensor<2xf32> {xf.name = "d_weight"}, tensor<2xf32> {xf.name = "d_bias"},
                           tensor<1x2xf32> {xf.name = "d_rms"}) {
  %x = arith.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %w = arith.constant dense<2.0> : tensor<2xf32>
  %dy = arith.constant dense<[[5.0, 0.0]]> : tensor<1x2xf32>
  %dx, %dw, %db = xf.layer_norm_vjp %x weight(%w : tensor<2xf32>), %dy eps 0.0 : tensor<1x2xf32>, tensor<1x2xf32>
      -> tensor<1x2xf32> weight(tensor<2xf32>) bias(tensor<2xf32>)
  %z = arith.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %drms = xf.rms_norm_vjp %z, %dy eps 0.0 : tensor<1x2xf32>, tensor<1x2xf32> -> tensor<1x2xf32>
  return %dx, %dw, %db, %drms : tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1x2xf32>
}

func.func @gradients(%x: tensor<3x5xf64>, %w: tensor<5xf64>, %b: tensor<5xf64>) -> (tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>) {
  %layer = xf.layer_norm %x weight(%w : tensor<5xf64>) bias(%b : tensor<5xf64>) eps 1.0e-5 : tensor<3x5xf64> -> tensor<3x5xf64>
  %rms = xf.rms_norm %x weight(%w : tensor<5xf64>) eps 1.0e-5 : tensor<3x5xf64> -> tensor<3x5xf64>
  %softmax = xf.softmax %x : tensor<3x5xf64>
  return %layer, %rms, %softmax : tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>
}

func.func @reduction_gradients(%x: tensor<2x3x4xf64>) -> (tensor<2x4xf64>, tensor<3xf64>, tensor<2x3xf64>) {
  %sum = xf.reduce sum %x axes [1] : tensor<2x3x4xf64> -> tensor<2x4xf64>
  %mean = xf.reduce mean %x axes [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>
  %max = xf.reduce max %x axes [2] : tensor<2x3x4xf64> -> tensor<2x3xf64>
  return %sum, %mean, %max : tensor<2x4xf64>, tensor<3xf64>, tensor<2x3xf64>
}
