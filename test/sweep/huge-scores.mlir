// Scores so large that log l has no digits beside them, as masks of the most negative number make them.
// RUN: xf-sweep %s --vjp --except=whole N=7,133 D=8 T=f32 A=f32 C=1.0e20
// RUN: xf-sweep %s --vjp --only='dense|strided|lengths' N=70 D=40 T=f32 A=f32 C=3.4e38 --seed=2
// RUN: xf-sweep %s --vjp --only='dense|strided|mixed' N=70 D=8 T=bf16 A=f32 C=3.4e38 --seed=3
// RUN: xf-sweep %s --vjp --except=whole N=33 D=8 T=f64 A=f64 C=1.0e300 --seed=4
// RUN: xf-sweep %s --vjp --only=whole N=5,150 D=12,16 T=f32,bf16 A=f32 C=0.0 --seed=5

func.func @dense$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %bias: tensor<2x$Nx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) captures(%t = %bias : tensor<2x$Nx$A>) {
    %low = arith.constant -$C : $A
    %x = tensor.extract %t[%h, %j] : tensor<2x$Nx$A>
    %y = arith.addf %s, %x : $A
    %z = arith.addf %y, %low : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Every third row; the lse of all of them is used.
func.func @mixed$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) {
    %three = arith.constant 3 : index
    %zero = arith.constant 0 : index
    %rest = arith.remsi %i, %three : index
    %is = arith.cmpi eq, %rest, %zero : index
    %low = arith.constant -$C : $A
    %y = arith.addf %s, %low : $A
    %z = arith.select %is, %y, %s : $A
    xf.yield %z : $A
  } : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>)
  return %o, %lse : tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>
}
// Several stages, residues and dropout.
func.func @strided$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 99>}) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) score(%s : $A, %b, %h, %i, %j) {
    %low = arith.constant -$C : $A
    %z = arith.addf %s, %low : $A
    xf.yield %z : $A
  } dropout(2.0e-1, %seed : tensor<2xi64>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Rows that see nothing stay apart from those that see keys which are all that low.
func.func @lengths$$(%q: tensor<2x1x$Nx$Dx$T>, %k: tensor<2x1x$Nx$Dx$T>, %v: tensor<2x1x$Nx$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 7>}) -> tensor<2x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4>, #xf.global<[1]>]>) lengths(%n : tensor<2xi64>) score(%s : $A, %b, %h, %i, %j) {
    %low = arith.constant -$C : $A
    %z = arith.addf %s, %low : $A
    xf.yield %z : $A
  } : (tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>, tensor<2x1x$Nx$Dx$T>) -> tensor<2x1x$Nx$Dx$T>
  return %o : tensor<2x1x$Nx$Dx$T>
}
// Products that are all one large number, without a score region: values and their gradients.
func.func @whole$$(%v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %q = arith.constant dense<1.0e10> : tensor<1x1x$Nx$Dx$T>
  %o = xf.attention %q, %q, %v pattern(#xf.causal) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// The same in lanes: many short residues.
func.func @whole_column$$(%v: tensor<1x1x260x$Dx$T>) -> tensor<1x1x260x$Dx$T> {
  %q = arith.constant dense<1.0e10> : tensor<1x1x260x$Dx$T>
  %o = xf.attention %q, %q, %v pattern(#xf.strided<stride = 64, part = column>) : (tensor<1x1x260x$Dx$T>, tensor<1x1x260x$Dx$T>, tensor<1x1x260x$Dx$T>) -> tensor<1x1x260x$Dx$T>
  return %o : tensor<1x1x260x$Dx$T>
}
