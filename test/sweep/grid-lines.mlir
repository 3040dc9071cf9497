// Boxes around queries of a grid, neighbouring queries in lanes: lines shorter than, as long as and longer than registers,
// boxes larger than the grid or beside the query, queries that are the last rows or before the keys, padding, few columns.
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --except=hidden D=64 T=f32 A=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --vector-bits=512 --except=hidden D=33 T=f32 A=f32 --seed=2
// RUN: xf-sweep %s --cpu=x86-64-v3 --except=hidden D=1 T=f32 A=f32 --seed=3
// RUN: xf-sweep %s --cpu=x86-64-v3 --except=hidden D=80 T=f64 A=f64 --seed=4
// RUN: xf-sweep %s --cpu=x86-64-v3 "--only=square|ragged" D=256 T=f32 A=f32 --seed=5
// RUN: xf-sweep %s --cpu=x86-64-v3 --except=hidden D=16 T=bf16 A=f32 --seed=6
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --only=hidden D=24 T=f32 A=f32 --seed=7
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --vector-bits=512 --only=hidden D=24 T=f32 A=f32 --seed=8

func.func @square$$(%q: tensor<2x2x400x$Dx$T>, %k: tensor<2x1x400x$Dx$T>, %v: tensor<2x1x400x$Dx$T>) -> (tensor<2x2x400x$Dx$T>, tensor<2x2x400x$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 20], radius = [3, 3]>) : (tensor<2x2x400x$Dx$T>, tensor<2x1x400x$Dx$T>, tensor<2x1x400x$Dx$T>) -> (tensor<2x2x400x$Dx$T>, tensor<2x2x400x$A>)
  return %o, %lse : tensor<2x2x400x$Dx$T>, tensor<2x2x400x$A>
}
func.func @ragged$$(%q: tensor<1x2x437x$Dx$T>, %k: tensor<1x2x437x$Dx$T>, %v: tensor<1x2x437x7x$T>) -> tensor<1x2x437x7x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [19, 23], radius = [2, 3]>) : (tensor<1x2x437x$Dx$T>, tensor<1x2x437x$Dx$T>, tensor<1x2x437x7x$T>) -> tensor<1x2x437x7x$T>
  return %o : tensor<1x2x437x7x$T>
}
func.func @flat$$(%q: tensor<1x1x330x$Dx$T>, %k: tensor<1x1x330x$Dx$T>, %v: tensor<1x1x330x$Dx$T>) -> tensor<1x1x330x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [10, 33], radius = [1, 5]>) : (tensor<1x1x330x$Dx$T>, tensor<1x1x330x$Dx$T>, tensor<1x1x330x$Dx$T>) -> tensor<1x1x330x$Dx$T>
  return %o : tensor<1x1x330x$Dx$T>
}
func.func @tall$$(%q: tensor<1x1x256x$Dx$T>, %k: tensor<1x1x256x$Dx$T>, %v: tensor<1x1x256x$Dx$T>) -> tensor<1x1x256x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [16, 16], radius = [5, 1]>) : (tensor<1x1x256x$Dx$T>, tensor<1x1x256x$Dx$T>, tensor<1x1x256x$Dx$T>) -> tensor<1x1x256x$Dx$T>
  return %o : tensor<1x1x256x$Dx$T>
}
func.func @larger$$(%q: tensor<1x1x68x$Dx$T>, %k: tensor<1x1x68x$Dx$T>, %v: tensor<1x1x68x$Dx$T>) -> tensor<1x1x68x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 17], radius = [6, 20]>) : (tensor<1x1x68x$Dx$T>, tensor<1x1x68x$Dx$T>, tensor<1x1x68x$Dx$T>) -> tensor<1x1x68x$Dx$T>
  return %o : tensor<1x1x68x$Dx$T>
}
func.func @part_of_a_line$$(%q: tensor<1x1x371x$Dx$T>, %k: tensor<1x1x378x$Dx$T>, %v: tensor<1x1x378x$Dx$T>) -> tensor<1x1x371x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [18, 21], radius = [3, 3]>) : (tensor<1x1x371x$Dx$T>, tensor<1x1x378x$Dx$T>, tensor<1x1x378x$Dx$T>) -> tensor<1x1x371x$Dx$T>
  return %o : tensor<1x1x371x$Dx$T>
}
func.func @causal$$(%q: tensor<1x2x400x$Dx$T>, %k: tensor<1x2x400x$Dx$T>, %v: tensor<1x2x400x$Dx$T>) -> tensor<1x2x400x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.window_nd<extents = [20, 20], radius = [3, 3]>, #xf.causal]>) : (tensor<1x2x400x$Dx$T>, tensor<1x2x400x$Dx$T>, tensor<1x2x400x$Dx$T>) -> tensor<1x2x400x$Dx$T>
  return %o : tensor<1x2x400x$Dx$T>
}
func.func @last_queries$$(%q: tensor<1x2x37x$Dx$T>, %k: tensor<1x2x400x$Dx$T>, %v: tensor<1x2x400x$Dx$T>) -> tensor<1x2x37x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 20], radius = [3, 3]>) : (tensor<1x2x37x$Dx$T>, tensor<1x2x400x$Dx$T>, tensor<1x2x400x$Dx$T>) -> tensor<1x2x37x$Dx$T>
  return %o : tensor<1x2x37x$Dx$T>
}
func.func @volume$$(%q: tensor<1x1x480x$Dx$T>, %k: tensor<1x1x480x$Dx$T>, %v: tensor<1x1x480x$Dx$T>) -> tensor<1x1x480x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [5, 6, 16], radius = [1, 2, 3]>) : (tensor<1x1x480x$Dx$T>, tensor<1x1x480x$Dx$T>, tensor<1x1x480x$Dx$T>) -> tensor<1x1x480x$Dx$T>
  return %o : tensor<1x1x480x$Dx$T>
}
func.func @heads$$(%q: tensor<1x4x400x$Dx$T>, %k: tensor<1x4x400x$Dx$T>, %v: tensor<1x4x400x$Dx$T>) -> tensor<1x4x400x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window_nd<extents = [20, 20], radius = [3, 3]>, #xf.window<left = 3>]>) : (tensor<1x4x400x$Dx$T>, tensor<1x4x400x$Dx$T>, tensor<1x4x400x$Dx$T>) -> tensor<1x4x400x$Dx$T>
  return %o : tensor<1x4x400x$Dx$T>
}
func.func @lengths$$(%q: tensor<2x1x400x$Dx$T>, %k: tensor<2x1x400x$Dx$T>, %v: tensor<2x1x400x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 400>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 400>}) -> (tensor<2x1x400x$Dx$T>, tensor<2x1x400x$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 20], radius = [3, 3]>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x1x400x$Dx$T>, tensor<2x1x400x$Dx$T>, tensor<2x1x400x$Dx$T>) -> (tensor<2x1x400x$Dx$T>, tensor<2x1x400x$A>)
  return %o, %lse : tensor<2x1x400x$Dx$T>, tensor<2x1x400x$A>
}
// Keys and values behind the lengths are NaN; no row sees them.
func.func @hidden$$(%q: tensor<2x2x96x$Dx$T>, %k: tensor<2x2x96x$Dx$T>, %n: tensor<2xi64> {xf.range = array<i64: 0, 97>}, %m: tensor<2xi64> {xf.range = array<i64: 0, 97>}) -> tensor<2x2x96x$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %i = arith.constant dense<[[[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15],[16],[17],[18],[19],[20],[21],[22],[23],[24],[25],[26],[27],[28],[29],[30],[31],[32],[33],[34],[35],[36],[37],[38],[39],[40],[41],[42],[43],[44],[45],[46],[47],[48],[49],[50],[51],[52],[53],[54],[55],[56],[57],[58],[59],[60],[61],[62],[63],[64],[65],[66],[67],[68],[69],[70],[71],[72],[73],[74],[75],[76],[77],[78],[79],[80],[81],[82],[83],[84],[85],[86],[87],[88],[89],[90],[91],[92],[93],[94],[95]]]]> : tensor<1x1x96x1xi64>
  %lx = xf.reshape %m : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hx = xf.compare ge %i, %lx : (tensor<1x1x96x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x96x1xi1>
  %x = xf.where %hx, %nan, %q : (tensor<2x1x96x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x96x$Dx$T>) -> tensor<2x2x96x$Dx$T>
  %ly = xf.reshape %n : tensor<2xi64> to tensor<2x1x1x1xi64>
  %hy = xf.compare ge %i, %ly : (tensor<1x1x96x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x96x1xi1>
  %y = xf.where %hy, %nan, %k : (tensor<2x1x96x1xi1>, tensor<1x1x1x1x$T>, tensor<2x2x96x$Dx$T>) -> tensor<2x2x96x$Dx$T>
  %o = xf.attention %x, %y, %y pattern(#xf.window_nd<extents = [6, 16], radius = [2, 3]>) lengths(%n : tensor<2xi64>) query_lengths(%m : tensor<2xi64>) : (tensor<2x2x96x$Dx$T>, tensor<2x2x96x$Dx$T>, tensor<2x2x96x$Dx$T>) -> tensor<2x2x96x$Dx$T>
  return %o : tensor<2x2x96x$Dx$T>
}
