// RUN: xf-sweep %s --vjp N=1,5 D=16 T=f32

// Heads of queries that share keys, few queries: rows of one head. Queries are the last ones of all positions.

func.func @dense$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x1x70x$Dx$T>, %v: tensor<2x1x70x$Dx$T>) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<2x4x$Nx$Dx$T>, tensor<2x1x70x$Dx$T>, tensor<2x1x70x$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
func.func @causal$$(%q: tensor<1x8x$Nx$Dx$T>, %k: tensor<1x2x170x$Dx$T>, %v: tensor<1x2x170x24x$T>) -> tensor<1x8x$Nx24x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x8x$Nx$Dx$T>, tensor<1x2x170x$Dx$T>, tensor<1x2x170x24x$T>) -> tensor<1x8x$Nx24x$T>
  return %o : tensor<1x8x$Nx24x$T>
}
// Fewer keys than a head has queries, and than all of them are.
func.func @few_keys$$(%q: tensor<1x8x$Nx$Dx$T>, %k: tensor<1x1x3x$Dx$T>, %v: tensor<1x1x3x$Dx$T>) -> tensor<1x8x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 1, right = 1>) : (tensor<1x8x$Nx$Dx$T>, tensor<1x1x3x$Dx$T>, tensor<1x1x3x$Dx$T>) -> tensor<1x8x$Nx$Dx$T>
  return %o : tensor<1x8x$Nx$Dx$T>
}
// Two pieces; rows that see nothing.
func.func @lengths$$(%q: tensor<2x6x$Nx$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %v: tensor<2x2x70x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}) -> tensor<2x6x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 9>, #xf.affine<(i, j)[Nq, Nk] : (2 - j ge 0)>]>) lengths(%n : tensor<2xi64>) : (tensor<2x6x$Nx$Dx$T>, tensor<2x2x70x$Dx$T>, tensor<2x2x70x$Dx$T>) -> tensor<2x6x$Nx$Dx$T>
  return %o : tensor<2x6x$Nx$Dx$T>
}
func.func @prefixes$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %v: tensor<2x2x70x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.prefix, #xf.affine<(i, j)[Nq, Nk] : (i - j + Nq - Nk ge 0)>]>) symbols(%n : tensor<2xi64>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x70x$Dx$T>, tensor<2x2x70x$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
// What tells heads or rows apart keeps heads by themselves.
func.func @own_prefixes$$(%q: tensor<1x4x$Nx$Dx$T>, %k: tensor<1x1x70x$Dx$T>, %v: tensor<1x1x70x$Dx$T>, %n: tensor<1x4xi64> {xf.range = array<i64: 0, 71>}) -> tensor<1x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.prefix) symbols(%n : tensor<1x4xi64>) : (tensor<1x4x$Nx$Dx$T>, tensor<1x1x70x$Dx$T>, tensor<1x1x70x$Dx$T>) -> tensor<1x4x$Nx$Dx$T>
  return %o : tensor<1x4x$Nx$Dx$T>
}
func.func @query_lengths$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x1x70x$Dx$T>, %v: tensor<2x1x70x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 6>}) -> tensor<2x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) query_lengths(%n : tensor<2xi64>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x1x70x$Dx$T>, tensor<2x1x70x$Dx$T>) -> tensor<2x4x$Nx$Dx$T>
  return %o : tensor<2x4x$Nx$Dx$T>
}
// Queries as a projection gives them, [B, N, H, D].
func.func @projected$$(%x: tensor<1x$Nx4x$Dx$T>, %k: tensor<1x1x70x$Dx$T>, %v: tensor<1x1x70x$Dx$T>) -> tensor<1x4x$Nx$Dx$T> {
  %q = xf.transpose %x permutation [0, 2, 1, 3] : tensor<1x$Nx4x$Dx$T> to tensor<1x4x$Nx$Dx$T>
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x$Nx$Dx$T>, tensor<1x1x70x$Dx$T>, tensor<1x1x70x$Dx$T>) -> tensor<1x4x$Nx$Dx$T>
  return %o : tensor<1x4x$Nx$Dx$T>
}
