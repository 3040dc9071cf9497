// Lists of blocks that the call gives: for all, for each batch entry, for each head; rectangles; computed by the program.
// Columns below 0 and behind the last one, rows that the table does not have, and blocks twice.
// RUN: xf-sweep %s --vjp N=1,67 D=33 T=f32
// RUN: xf-sweep %s --vjp N=131 D=64 T=f32,bf16 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=67 D=17 T=f32,f16 --seed=3
// RUN: xf-sweep %s --vjp N=40 D=1 T=f64 --seed=4

func.func @all$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %t: tensor<9x3xi32> {xf.range = array<i64: -2, 12>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 8>) table(%t : tensor<9x3xi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
func.func @batch$$(%q: tensor<3x2x$Nx$Dx$T>, %k: tensor<3x1x$Nx$Dx$T>, %v: tensor<3x1x$Nx7x$T>, %t: tensor<3x4x2xi64> {xf.range = array<i64: -1, 5>}) -> tensor<3x2x$Nx7x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 20, columns = 13>) table(%t : tensor<3x4x2xi64>) : (tensor<3x2x$Nx$Dx$T>, tensor<3x1x$Nx$Dx$T>, tensor<3x1x$Nx7x$T>) -> tensor<3x2x$Nx7x$T>
  return %o : tensor<3x2x$Nx7x$T>
}
func.func @heads$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %t: tensor<2x4x$Nx2xi32> {xf.range = array<i64: -1, 5>}) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 1, columns = 16>) table(%t : tensor<2x4x$Nx2xi32>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
func.func @union$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx$Dx$T>, %t: tensor<2x2x9x2xi32> {xf.range = array<i64: -1, 9>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.union<[#xf.window<left = 5>, #xf.table<block = 8>]>, #xf.causal]>) table(%t : tensor<2x2x9x2xi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
// Every query of every head selects the two blocks of 4 keys that its score of their means finds (as in NSA and MoBA).
func.func @selected$$(%q: tensor<2x2x40x$Dx$T>, %k: tensor<2x2x40x$Dx$T>, %v: tensor<2x2x40x$Dx$T>, %s: tensor<2x2x40x10xf32>) -> tensor<2x2x40x$Dx$T> {
  %values, %t = xf.top_k %s : tensor<2x2x40x10xf32> -> tensor<2x2x40x2xf32>, tensor<2x2x40x2xi64>
  %o = xf.attention %q, %k, %v pattern(#xf.table<block = 1, columns = 4>) table(%t : tensor<2x2x40x2xi64>) : (tensor<2x2x40x$Dx$T>, tensor<2x2x40x$Dx$T>, tensor<2x2x40x$Dx$T>) -> tensor<2x2x40x$Dx$T>
  return %o : tensor<2x2x40x$Dx$T>
}
