// RUN: xf-equivalence %s --pipeline='xf-gradient'
// RUN: xf-equivalence %s --pipeline='xf-gradient,func.func(xf-fuse)'

// Derivatives at the ends of the number range and at kinks: saturated activations have slope 0 or 1 and never NaN,
// relu'(0) = 0, of equal operands the first takes the gradient, and what a selection hides stays hidden.

func.func private @gelu_tanh(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.gelu %x form tanh : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @gelu_tanh_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @gelu_tanh(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @gelu_erf(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.gelu %x form erf : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @gelu_erf_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @gelu_erf(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @gelu_sigmoid(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.gelu %x form sigmoid : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @gelu_sigmoid_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @gelu_sigmoid(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @silu(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.silu %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @silu_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @silu(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @sigmoid(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.sigmoid %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @sigmoid_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @sigmoid(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @tanh(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.tanh %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @tanh_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @tanh(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @relu(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.relu %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @relu_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @relu(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @abs(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.abs %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @abs_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @abs(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @erf(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.erf %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @erf_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @erf(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @cos(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.cos %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @cos_at_ends() -> tensor<8xf64> {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @cos(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @maximum(%x: tensor<8xf64>, %z: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.maximum %x, %z : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @maximum_of_equals() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<1.0> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x, %d_z = xf.vjp @maximum(%x, %x) cotangents(%d : tensor<8xf64>) wrt [0, 1] : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>)
  return %d_x, %d_z : tensor<8xf64>, tensor<8xf64>
}
func.func private @minimum(%x: tensor<8xf64>, %z: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.minimum %x, %z : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @minimum_of_equals() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<1.0> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x, %d_z = xf.vjp @minimum(%x, %x) cotangents(%d : tensor<8xf64>) wrt [0, 1] : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>)
  return %d_x, %d_z : tensor<8xf64>, tensor<8xf64>
}
func.func private @hidden(%x: tensor<8xf64>) -> tensor<8xf64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %positive = xf.compare gt %x, %zero : (tensor<8xf64>, tensor<f64>) -> tensor<8xi1>
  %l = xf.log %x : tensor<8xf64>
  %y = xf.where %positive, %l, %zero : (tensor<8xi1>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @hidden_at_zero() -> tensor<8xf64> {
  %x = arith.constant dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 4.0]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @hidden(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %d_x : tensor<8xf64>
}
func.func private @largest(%x: tensor<2x4xf64>) -> tensor<2xf64> {
  %y = xf.reduce max %x axes [1] : tensor<2x4xf64> -> tensor<2xf64>
  return %y : tensor<2xf64>
}
func.func @first_of_largest() -> tensor<2x4xf64> {
  %x = arith.constant dense<[[1.0, 3.0, 3.0, 2.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf64>
  %d = arith.constant dense<[0.5, 2.0]> : tensor<2xf64>
  %y, %d_x = xf.vjp @largest(%x) cotangents(%d : tensor<2xf64>) wrt [0] : (tensor<2x4xf64>) -> (tensor<2xf64>, tensor<2x4xf64>)
  return %d_x : tensor<2x4xf64>
}
