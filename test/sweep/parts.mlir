// Attention on a part of the queries: positions, rows and draws are those of all queries.
// RUN: xf-sweep %s --vjp Q=1,7 N=40 D=33 T=f64
// RUN: xf-sweep %s --vjp --vector-bits=512 Q=37 N=150 D=80 T=f32 --seed=2
// RUN: xf-sweep %s --except=random Q=37 N=111 D=1 T=f32 --seed=3
// RUN: xf-sweep %s --only=causal Q=37 N=111 D=64 T=bf16 --seed=3
// RUN: xf-sweep %s --vjp --only='causal|window|fixed' Q=? N=? D=8 T=f64 --seed=4

func.func @causal$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[0, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.causal) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @dense$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @window$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[2, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9, right = 2>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @strided$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 4]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 6>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @fixed$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[0, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 8, summary = 2>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @union$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 6, right = 6>, #xf.global<[0, 1]>]>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @random$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[2, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 4>, #xf.global<[0, 1]>, #xf.random<count = 2, seed = 1>]>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @heads$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 4]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window<left = 4>, #xf.fixed<block = 8, summary = 2, part = column>]>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// Rows of a part are numbered from the first of all.
func.func @lengths$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %n: tensor<1xi64> {xf.range = array<i64: 0, 5>}, %m: tensor<1xi64> {xf.range = array<i64: 0, 5>}) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 7>) lengths(%n : tensor<1xi64>) query_lengths(%m : tensor<1xi64>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
func.func @dropout$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %s: tensor<2xi64>) -> tensor<1x2x$Qx$Dx$T> {
  %p = arith.constant dense<[[1, 3]]> : tensor<1x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(0.3, %s : tensor<2xi64>) part(%p : tensor<1x2xi64>) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
