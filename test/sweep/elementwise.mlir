// RUN: xf-sweep %s --vjp N=1 D=33,256 T=f32,f64
// RUN: xf-sweep %s --vjp N=7 D=1,33,80 T=f32,f64
// RUN: xf-sweep %s --vjp N=?,13 D=5,? T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=7 D=33 T=f32

// Element by element: every op, broadcast operands, where a side is hidden, chains that become one map.

func.func @neg$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.neg %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @exp$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.exp %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @tanh$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.tanh %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sigmoid$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.sigmoid %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @erf$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.erf %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @square$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.square %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sin$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.sin %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @cos$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.cos %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @relu$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.relu %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @silu$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.silu %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @abs$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.abs %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @log$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.log %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sqrt$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.sqrt %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @rsqrt$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.rsqrt %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @gelu_tanh$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.gelu %x form tanh : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @gelu_erf$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.gelu %x form erf : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @gelu_sigmoid$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.gelu %x form sigmoid : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @add$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.add %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @add_row$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.add %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sub$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.sub %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sub_row$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.sub %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mul$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.mul %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mul_row$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.mul %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @maximum$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.maximum %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @maximum_row$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.maximum %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @minimum$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.minimum %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @minimum_row$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.minimum %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @add_column$$(%a: tensor<$Nx1x$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.add %a, %b : (tensor<$Nx1x$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @add_scalar$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.add %a, %b : (tensor<$Nx$Dx$T>, tensor<$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @add_both_broadcast$$(%a: tensor<$Nx1x$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.add %a, %b : (tensor<$Nx1x$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mul_column$$(%a: tensor<$Nx1x$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.mul %a, %b : (tensor<$Nx1x$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mul_scalar$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.mul %a, %b : (tensor<$Nx$Dx$T>, tensor<$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mul_both_broadcast$$(%a: tensor<$Nx1x$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.mul %a, %b : (tensor<$Nx1x$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @div$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %e = xf.exp %b : tensor<$Nx$Dx$T>
  %y = xf.div %a, %e : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @pow$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %e = xf.exp %a : tensor<$Nx$Dx$T>
  %y = xf.pow %e, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @compare_eq$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare eq %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @compare_ne$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare ne %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @compare_lt$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare lt %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @compare_le$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare le %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @compare_gt$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare gt %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @compare_ge$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.compare ge %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @where$$(%c: tensor<$Nx$Dxi1>, %a: tensor<$Nx$Dx$T>, %b: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %l = xf.exp %a : tensor<$Nx$Dx$T>
  %y = xf.where %c, %l, %b : (tensor<$Nx$Dxi1>, tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @where_hides_nan$$(%a: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %z = arith.constant dense<0.0> : tensor<$T>
  %c = xf.compare gt %a, %z : (tensor<$Nx$Dx$T>, tensor<$T>) -> tensor<$Nx$Dxi1>
  %s = xf.sqrt %a : tensor<$Nx$Dx$T>
  %y = xf.where %c, %s, %z : (tensor<$Nx$Dxi1>, tensor<$Nx$Dx$T>, tensor<$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @cast_to_f32$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxf32> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxf32>
  return %y : tensor<$Nx$Dxf32>
}
func.func @cast_to_f64$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxf64> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxf64>
  return %y : tensor<$Nx$Dxf64>
}
func.func @cast_to_bf16$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxbf16> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxbf16>
  return %y : tensor<$Nx$Dxbf16>
}
func.func @cast_to_f16$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxf16> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxf16>
  return %y : tensor<$Nx$Dxf16>
}
func.func @cast_to_i32$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi32> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxi32>
  return %y : tensor<$Nx$Dxi32>
}
func.func @cast_to_i1$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dxi1> {
  %y = xf.cast %x : tensor<$Nx$Dx$T> to tensor<$Nx$Dxi1>
  return %y : tensor<$Nx$Dxi1>
}
func.func @cast_from_i64$$(%x: tensor<$Nx$Dxi64>) -> tensor<$Nx$Dx$T> {
  %y = xf.cast %x : tensor<$Nx$Dxi64> to tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @chain$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) {
  %s = xf.add %a, %b : (tensor<$Nx$Dx$T>, tensor<$Dx$T>) -> tensor<$Nx$Dx$T>
  %t = xf.tanh %s : tensor<$Nx$Dx$T>
  %u = xf.mul %t, %s : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  %y = xf.sub %u, %a : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %t, %y : tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>
}
func.func @floor$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.floor %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @ceil$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.ceil %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @round$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.round %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @tan$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %t = xf.tanh %x : tensor<$Nx$Dx$T>
  %y = xf.tan %t : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @asin$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %t = xf.tanh %x : tensor<$Nx$Dx$T>
  %y = xf.asin %t : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @acos$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %t = xf.tanh %x : tensor<$Nx$Dx$T>
  %y = xf.acos %t : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @atan$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.atan %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sinh$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.sinh %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @cosh$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.cosh %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @cbrt$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.cbrt %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @log10$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.log10 %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @log2$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.square %x : tensor<$Nx$Dx$T>
  %p = xf.exp %s : tensor<$Nx$Dx$T>
  %y = xf.log2 %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @log1p$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %p = xf.exp %x : tensor<$Nx$Dx$T>
  %y = xf.log1p %p : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @expm1$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.expm1 %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @softplus$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.softplus %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @stop_gradient$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %s = xf.stop_gradient %x : tensor<$Nx$Dx$T>
  %y = xf.mul %x, %s : (tensor<$Nx$Dx$T>, tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @atan2$$(%a: tensor<$Nx$Dx$T>, %b: tensor<$Nx1x$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.atan2 %a, %b : (tensor<$Nx$Dx$T>, tensor<$Nx1x$T>) -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
