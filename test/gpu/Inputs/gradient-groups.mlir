// Gradients by warpgroups at the edges of their tiles: 128 rows or keys stay, 64 a group; 32 to 128 pass.

func.func @causal$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @dense$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @window$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 20>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Pieces add to the same gradients; queries are the last ones, and some residues have one row more.
func.func @strided$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x331x$Dx$T>, %v: tensor<1x1x331x$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 3>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x331x$Dx$T>, tensor<1x1x331x$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Rows without keys, which add nothing; two heads of keys.
func.func @lengths$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x2x$Nx40x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}) -> tensor<2x4x$Nx40x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 50>) lengths(%n : tensor<2xi64>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nx40x$T>) -> tensor<2x4x$Nx40x$T>
  return %o : tensor<2x4x$Nx40x$T>
}
// NaN in rows that no pair has.
func.func @hidden$$(%q: tensor<1x2x110x$Dx$T>, %k: tensor<1x2x110x$Dx$T>, %n: tensor<1xi64> {xf.range = array<i64: 40, 111>}, %m: tensor<1xi64> {xf.range = array<i64: 40, 111>}) -> tensor<1x2x130x$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x2x20x$Dx$T>
  %nan = xf.div %zero, %zero : (tensor<1x2x20x$Dx$T>, tensor<1x2x20x$Dx$T>) -> tensor<1x2x20x$Dx$T>
  %x = xf.concat %q, %nan axis 2 : (tensor<1x2x110x$Dx$T>, tensor<1x2x20x$Dx$T>) -> tensor<1x2x130x$Dx$T>
  %y = xf.concat %k, %nan axis 2 : (tensor<1x2x110x$Dx$T>, tensor<1x2x20x$Dx$T>) -> tensor<1x2x130x$Dx$T>
  %o = xf.attention %x, %y, %y pattern(#xf.causal) lengths(%n : tensor<1xi64>) query_lengths(%m : tensor<1xi64>) : (tensor<1x2x130x$Dx$T>, tensor<1x2x130x$Dx$T>, tensor<1x2x130x$Dx$T>) -> tensor<1x2x130x$Dx$T>
  return %o : tensor<1x2x130x$Dx$T>
}
