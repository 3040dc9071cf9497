// Gradients of 16-bit tensors whose outputs are rounded before they get there: what P (dP - delta) leaves behind is small.
// RUN: xf-sweep %s --vjp --except=written N=1,70 D=16 T=bf16 S=0.25,2.25 --seed=2
// RUN: xf-sweep %s --vjp --except=written N=1,70 D=16 T=f16 S=0.25,2.25 --seed=3
// RUN: xf-sweep %s --only=written N=1,70 D=16 T=bf16,f16 S=0.25,2.25 --seed=4

func.func @bigbird$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x100x$Dx$T>, %v: tensor<1x1x100x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 4, window = 3, global = 1, random = 3, seed = 5>) scale $S : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @dense$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x100x$Dx$T>, %v: tensor<1x1x100x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) scale $S : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Stages that resume.
func.func @strided$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x100x$Dx$T>, %v: tensor<1x1x100x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) scale $S : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Residues in lanes.
func.func @column$$(%q: tensor<1x1x260x$Dx$T>, %k: tensor<1x1x260x$Dx$T>, %v: tensor<1x1x260x$Dx$T>) -> tensor<1x1x260x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 32, part = column>) scale $S : (tensor<1x1x260x$Dx$T>, tensor<1x1x260x$Dx$T>, tensor<1x1x260x$Dx$T>) -> tensor<1x1x260x$Dx$T>
  return %o : tensor<1x1x260x$Dx$T>
}
// A bias that is captured, and dropout.
func.func @bias$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x100x$Dx$T>, %v: tensor<1x2x100x$Dx$T>, %bias: tensor<2x100xf32>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 99>}) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 40>) scale $S score(%s : f32, %b, %h, %i, %j) captures(%t = %bias : tensor<2x100xf32>) {
    %x = tensor.extract %t[%h, %j] : tensor<2x100xf32>
    %y = arith.addf %s, %x : f32
    xf.yield %y : f32
  } dropout(1.0e-1, %seed : tensor<2xi64>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x100x$Dx$T>, tensor<1x2x100x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// What a program writes itself beside its attention.
func.func @written$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x100x$Dx$T>, %v: tensor<1x1x100x$Dx$T>, %d: tensor<1x1x$Nx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) scale $S : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nxf32>)
  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %lse, %d pattern(#xf.dense) scale $S : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nxf32>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>)
  return %dq, %dk, %dv : tensor<1x1x$Nx$Dx$T>, tensor<1x1x100x$Dx$T>, tensor<1x1x100x$Dx$T>
}
