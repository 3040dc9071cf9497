// RUN: xf-sweep %s --vjp N=19 D=8 T=f32 A=f32
// RUN: xf-sweep %s --vjp N=? D=8 T=bf16 A=f32 --seed=2
// RUN: xf-sweep %s --vjp N=19 D=16 T=f64 A=f64 --seed=3
// RUN: xf-sweep %s --vjp --vector-bits=512 N=19 D=8 T=f32 A=f32 --seed=4

// Functions of scores, by their sums, and steps.

func.func @angles$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %bias: tensor<2x$Nx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%m = %bias : tensor<2x$Nx$A>) {
    %t = math.tanh %s : $A
    %p = math.exp %t : $A
    %y0 = tensor.extract %m[%h, %j] : tensor<2x$Nx$A>
    %f0 = math.atan2 %y0, %p : $A
    %y1 = arith.addf %y0, %f0 : $A
    %f1 = math.tan %t : $A
    %y2 = arith.addf %y1, %f1 : $A
    %f2 = math.asin %t : $A
    %y3 = arith.addf %y2, %f2 : $A
    %f3 = math.acos %t : $A
    %y4 = arith.addf %y3, %f3 : $A
    %f4 = math.atan %s : $A
    %y5 = arith.addf %y4, %f4 : $A
    xf.yield %y5 : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @hyperbolic$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %bias: tensor<2x$Nx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%m = %bias : tensor<2x$Nx$A>) {
    %t = math.tanh %s : $A
    %p = math.exp %t : $A
    %y0 = tensor.extract %m[%h, %j] : tensor<2x$Nx$A>
    %f0 = math.sinh %t : $A
    %y1 = arith.addf %y0, %f0 : $A
    %f1 = math.cosh %t : $A
    %y2 = arith.addf %y1, %f1 : $A
    %f2 = math.expm1 %t : $A
    %y3 = arith.addf %y2, %f2 : $A
    xf.yield %y3 : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @logarithms$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %bias: tensor<2x$Nx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%m = %bias : tensor<2x$Nx$A>) {
    %t = math.tanh %s : $A
    %p = math.exp %t : $A
    %y0 = tensor.extract %m[%h, %j] : tensor<2x$Nx$A>
    %f0 = math.cbrt %p : $A
    %y1 = arith.addf %y0, %f0 : $A
    %f1 = math.log10 %p : $A
    %y2 = arith.addf %y1, %f1 : $A
    %f2 = math.log2 %p : $A
    %y3 = arith.addf %y2, %f2 : $A
    %f3 = math.log1p %p : $A
    %y4 = arith.addf %y3, %f3 : $A
    xf.yield %y4 : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Steps of indices, which do not depend on the rounding of scores.
func.func @steps$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) {
    %quarter = arith.constant 0.25 : $A
    %n = arith.index_cast %j : index to i64
    %r = arith.sitofp %n : i64 to $A
    %x = arith.mulf %r, %quarter : $A
    %floor = math.floor %x : $A
    %ceil = math.ceil %x : $A
    %round = math.roundeven %x : $A
    %y0 = arith.addf %floor, %ceil : $A
    %y1 = arith.subf %y0, %round : $A
    %y2 = arith.mulf %y1, %quarter : $A
    %y3 = arith.addf %s, %y2 : $A
    xf.yield %y3 : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
