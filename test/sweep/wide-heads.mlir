// Heads wider than code is unrolled for: rows of 36 registers, which end inside one, and of more than a page.
// RUN: xf-sweep %s --vjp N=13 D=283,1103 T=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3+emulated-avx512bf16 --vector-bits=512 N=13 D=283 T=bf16 --seed=2

func.func @causal$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @strided$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @linear$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// The last key, which no query sees, is NaN.
func.func @hidden$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x13x$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %isLast = arith.constant dense<[[[[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [1]]]]> : tensor<1x1x13x1xi1>
  %x = xf.where %isLast, %nan, %v : (tensor<1x1x13x1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x13x$Dx$T>) -> tensor<1x1x13x$Dx$T>
  %o = xf.attention %q, %k, %x pattern(#xf.window<left = unbounded, right = -1>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x13x$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
