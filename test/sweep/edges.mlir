// Blocks of keys at the edges of patterns: rows whose keys begin or end anywhere in a block, both in 32 columns, or that see none
// of it; pieces of which the first ones see nothing; sums that another launch begins.
// RUN: xf-sweep %s N=70 M=131 D=16 T=bf16 A=f32
// RUN: xf-sweep %s N=131 M=131 D=8 T=f32 A=f32 --seed=2

func.func @wide$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.window<left = 99, right = 40>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>)
  return %o, %lse : tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$A>
}
func.func @narrow$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 5, right = 2>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Rows see keys 40 to 70 before them; the first ones none.
func.func @before$$(%q: tensor<1x1x$Mx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i - j - 40 ge 0, j - i + 70 ge 0)>) : (tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T>
  return %o : tensor<1x1x$Mx$Dx$T>
}
func.func @later$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @lengths$$(%q: tensor<3x1x$Nx$Dx$T>, %k: tensor<3x1x$Mx$Dx$T>, %v: tensor<3x1x$Mx$Dx$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, $M>}) -> tensor<3x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 30>) lengths(%n : tensor<3xi64>) : (tensor<3x1x$Nx$Dx$T>, tensor<3x1x$Mx$Dx$T>, tensor<3x1x$Mx$Dx$T>) -> tensor<3x1x$Nx$Dx$T>
  return %o : tensor<3x1x$Nx$Dx$T>
}
func.func @fixed$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.fixed<block = 24, summary = 8>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>)
  return %o, %lse : tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$A>
}
func.func @strided$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 48>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
