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
func.func private @softplus(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.softplus %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @softplus_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @softplus(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @atan(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.atan %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @atan_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @atan(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @expm1(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.expm1 %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @expm1_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @expm1(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @sinh(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.sinh %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @sinh_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @sinh(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @cosh(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.cosh %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @cosh_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @cosh(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @floor(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.floor %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @floor_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @floor(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @ceil(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.ceil %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @ceil_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @ceil(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @round(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.round %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @round_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @round(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @cbrt(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.cbrt %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @cbrt_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0e200, -1.0e30, -40.0, -0.0, 0.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @cbrt(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @log1p(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.log1p %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @log1p_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[0.0, 1.0e-300, 1.0e-30, 0.5, 1.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @log1p(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @log2(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.log2 %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @log2_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[0.0, 1.0e-300, 1.0e-30, 0.5, 1.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @log2(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @log10(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.log10 %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @log10_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[0.0, 1.0e-300, 1.0e-30, 0.5, 1.0, 40.0, 1.0e30, 1.0e200]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @log10(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @asin(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.asin %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @asin_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0, -0.999999, -0.5, -0.0, 0.0, 0.5, 0.999999, 1.0]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @asin(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @acos(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.acos %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @acos_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0, -0.999999, -0.5, -0.0, 0.0, 0.5, 0.999999, 1.0]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @acos(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @tan(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = xf.tan %x : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @tan_at_ends() -> (tensor<8xf64>, tensor<8xf64>) {
  %x = arith.constant dense<[-1.0, -0.999999, -0.5, -0.0, 0.0, 0.5, 0.999999, 1.0]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %y, %d_x = xf.vjp @tan(%x) cotangents(%d : tensor<8xf64>) wrt [0] : (tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>)
  return %y, %d_x : tensor<8xf64>, tensor<8xf64>
}
func.func private @atan2(%y: tensor<8xf64>, %x: tensor<8xf64>) -> tensor<8xf64> {
  %a = xf.atan2 %y, %x : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %a : tensor<8xf64>
}
func.func @atan2_at_ends() -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %y = arith.constant dense<[0.0, -0.0, 1.0, -1.0e200, 1.0e-200, 1.0e200, -1.0e-200, 3.0]> : tensor<8xf64>
  %x = arith.constant dense<[-1.0, -1.0, 0.0, 1.0e200, 1.0e-200, 1.0, -1.0e-200, -4.0]> : tensor<8xf64>
  %d = arith.constant dense<0.5> : tensor<8xf64>
  %a, %d_y, %d_x = xf.vjp @atan2(%y, %x) cotangents(%d : tensor<8xf64>) wrt [0, 1] : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>)
  return %a, %d_y, %d_x : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
