// Residues in lanes: as many as a register has, more, and not a multiple; a few rows of each, none of some.
// RUN: xf-sweep %s --vjp N=1,67 D=33 T=f32
// RUN: xf-sweep %s --vjp N=259 D=64 T=f32 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=300 D=17 T=f32,bf16 --seed=3
// RUN: xf-sweep %s --vjp N=70 D=1 T=f64 --seed=4
// RUN: xf-sweep %s --vjp N=70 D=5 T=f16 --seed=5

func.func @column8$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8, part = column>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @shared$$(%q: tensor<2x4x$Nx$Dx$T>, %k: tensor<2x2x$Nx$Dx$T>, %v: tensor<2x1x$Nx7x$T>) -> tensor<2x4x$Nx7x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 17, part = column>) : (tensor<2x4x$Nx$Dx$T>, tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Nx7x$T>) -> tensor<2x4x$Nx7x$T>
  return %o : tensor<2x4x$Nx7x$T>
}
func.func @union$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 19>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @dilated$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dilated<left = 60, right = 40, step = 20>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
func.func @heads$$(%q: tensor<1x4x$Nx$Dx$T>, %k: tensor<1x2x$Nx$Dx$T>, %v: tensor<1x2x$Nx$Dx$T>) -> tensor<1x4x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.strided<stride = 16, part = column>, #xf.window<left = 3>]>) : (tensor<1x4x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>, tensor<1x2x$Nx$Dx$T>) -> tensor<1x4x$Nx$Dx$T>
  return %o : tensor<1x4x$Nx$Dx$T>
}
func.func @last_queries$$(%q: tensor<2x2x9x$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %v: tensor<2x2x70x7x$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 10>}) -> tensor<2x2x9x7x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16, part = column>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x9x$Dx$T>, tensor<2x2x70x$Dx$T>, tensor<2x2x70x7x$T>) -> tensor<2x2x9x7x$T>
  return %o : tensor<2x2x9x7x$T>
}
func.func @before_keys$$(%q: tensor<1x1x70x$Dx$T>, %k: tensor<1x1x31x$Dx$T>, %v: tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16, part = column>) : (tensor<1x1x70x$Dx$T>, tensor<1x1x31x$Dx$T>, tensor<1x1x31x$Dx$T>) -> tensor<1x1x70x$Dx$T>
  return %o : tensor<1x1x70x$Dx$T>
}
func.func @causal_lse$$(%q: tensor<1x1x$Nx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.dilated<left = 300, right = 0, step = 32>, #xf.causal]>) : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x1x$Nx$Dx$T>
  return %o : tensor<1x1x$Nx$Dx$T>
}
// Rows and keys that no pair has are NaN, in lanes whose neighbours have some.
func.func @hidden$$(%q: tensor<2x2x70x$Dx$T>, %k: tensor<2x2x70x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 71>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 71>}) -> tensor<2x2x70x$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15],[16],[17],[18],[19],[20],[21],[22],[23],[24],[25],[26],[27],[28],[29],[30],[31],[32],[33],[34],[35],[36],[37],[38],[39],[40],[41],[42],[43],[44],[45],[46],[47],[48],[49],[50],[51],[52],[53],[54],[55],[56],[57],[58],[59],[60],[61],[62],[63],[64],[65],[66],[67],[68],[69]]]]> : tensor<1x1x70x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x70x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x70x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x70x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x70x$Dx$T>) -> tensor<2x2x70x$Dx$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x70x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x70x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x70x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x70x$Dx$T>) -> tensor<2x2x70x$Dx$T>
  %o = xf.attention %x, %y, %y pattern(#xf.dilated<left = 48, right = 48, step = 16>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x70x$Dx$T>, tensor<2x2x70x$Dx$T>, tensor<2x2x70x$Dx$T>) -> tensor<2x2x70x$Dx$T>
  return %o : tensor<2x2x70x$Dx$T>
}
