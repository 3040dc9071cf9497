// Boxes around queries of a grid, neighbouring queries in lanes: lines shorter than, as long as and longer than registers,
// boxes larger than the grid, leaning or beside the query, queries that are the last rows or before the keys, heads that share
// keys, padding, few columns.
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --except=hidden D=64 T=f32 A=f32
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --vector-bits=512 --except=hidden D=33 T=f32 A=f32 --seed=2
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --except=hidden D=1 T=f32 A=f32 --seed=3
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --except=hidden D=80 T=f64 A=f64 --seed=4
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 "--only=square|ragged" D=256 T=f32 A=f32 --seed=5
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --except=hidden D=16 T=bf16 A=f32 --seed=6
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --only=hidden D=24 T=f32 A=f32 --seed=7
// RUN: xf-sweep %s --vjp --cpu=x86-64-v3 --vector-bits=512 --only=hidden D=24 T=f16 A=f32 --seed=8

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
func.func @leaning$$(%q: tensor<1x1x400x$Dx$T>, %k: tensor<1x1x400x$Dx$T>, %v: tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (j - i + 102 ge 0, i - j - 96 ge 0, j - 20 * (i floordiv 20) + 100 ge 0, 20 * (i floordiv 20) - j - 81 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 82 ge 0, i - j - 76 ge 0, j - 20 * (i floordiv 20) + 80 ge 0, 20 * (i floordiv 20) - j - 61 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 62 ge 0, i - j - 56 ge 0, j - 20 * (i floordiv 20) + 60 ge 0, 20 * (i floordiv 20) - j - 41 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 42 ge 0, i - j - 36 ge 0, j - 20 * (i floordiv 20) + 40 ge 0, 20 * (i floordiv 20) - j - 21 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 22 ge 0, i - j - 16 ge 0, j - 20 * (i floordiv 20) + 20 ge 0, 20 * (i floordiv 20) - j - 1 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 2 ge 0, i - j + 4 ge 0, j - 20 * (i floordiv 20) + 0 ge 0, 20 * (i floordiv 20) - j + 19 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 18 ge 0, i - j + 24 ge 0, j - 20 * (i floordiv 20) - 20 ge 0, 20 * (i floordiv 20) - j + 39 ge 0)>]>) : (tensor<1x1x400x$Dx$T>, tensor<1x1x400x$Dx$T>, tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T>
  return %o : tensor<1x1x400x5x$T>
}
func.func @before$$(%q: tensor<1x1x400x$Dx$T>, %k: tensor<1x1x400x$Dx$T>, %v: tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (j - i + 122 ge 0, i - j - 116 ge 0, j - 20 * (i floordiv 20) + 120 ge 0, 20 * (i floordiv 20) - j - 101 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 102 ge 0, i - j - 96 ge 0, j - 20 * (i floordiv 20) + 100 ge 0, 20 * (i floordiv 20) - j - 81 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 82 ge 0, i - j - 76 ge 0, j - 20 * (i floordiv 20) + 80 ge 0, 20 * (i floordiv 20) - j - 61 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 62 ge 0, i - j - 56 ge 0, j - 20 * (i floordiv 20) + 60 ge 0, 20 * (i floordiv 20) - j - 41 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i + 42 ge 0, i - j - 36 ge 0, j - 20 * (i floordiv 20) + 40 ge 0, 20 * (i floordiv 20) - j - 21 ge 0)>]>) : (tensor<1x1x400x$Dx$T>, tensor<1x1x400x$Dx$T>, tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T>
  return %o : tensor<1x1x400x5x$T>
}
func.func @behind$$(%q: tensor<1x1x400x$Dx$T>, %k: tensor<1x1x400x$Dx$T>, %v: tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk] : (j - i - 36 ge 0, i - j + 42 ge 0, j - 20 * (i floordiv 20) - 40 ge 0, 20 * (i floordiv 20) - j + 59 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 56 ge 0, i - j + 62 ge 0, j - 20 * (i floordiv 20) - 60 ge 0, 20 * (i floordiv 20) - j + 79 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 76 ge 0, i - j + 82 ge 0, j - 20 * (i floordiv 20) - 80 ge 0, 20 * (i floordiv 20) - j + 99 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 96 ge 0, i - j + 102 ge 0, j - 20 * (i floordiv 20) - 100 ge 0, 20 * (i floordiv 20) - j + 119 ge 0)>, #xf.affine<(i, j)[Nq, Nk] : (j - i - 116 ge 0, i - j + 122 ge 0, j - 20 * (i floordiv 20) - 120 ge 0, 20 * (i floordiv 20) - j + 139 ge 0)>]>) : (tensor<1x1x400x$Dx$T>, tensor<1x1x400x$Dx$T>, tensor<1x1x400x5x$T>) -> tensor<1x1x400x5x$T>
  return %o : tensor<1x1x400x5x$T>
}
func.func @more_queries$$(%q: tensor<1x2x430x$Dx$T>, %k: tensor<1x1x400x$Dx$T>, %v: tensor<1x1x400x3x$T>) -> tensor<1x2x430x3x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [20, 20], radius = [3, 3]>) : (tensor<1x2x430x$Dx$T>, tensor<1x1x400x$Dx$T>, tensor<1x1x400x3x$T>) -> tensor<1x2x430x3x$T>
  return %o : tensor<1x2x430x3x$T>
}
func.func @groups$$(%q: tensor<2x6x300x$Dx$T>, %k: tensor<2x3x300x$Dx$T>, %v: tensor<2x1x300x9x$T>) -> tensor<2x6x300x9x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [15, 20], radius = [2, 4]>) : (tensor<2x6x300x$Dx$T>, tensor<2x3x300x$Dx$T>, tensor<2x1x300x9x$T>) -> tensor<2x6x300x9x$T>
  return %o : tensor<2x6x300x9x$T>
}
func.func @member$$(%q: tensor<1x4x300x$Dx$T>, %k: tensor<1x2x300x$Dx$T>, %v: tensor<1x2x300x9x$T>) -> tensor<1x4x300x9x$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window_nd<extents = [15, 20], radius = [2, 4]>, #xf.window_nd<extents = [15, 20], radius = [4, 2]>]>) : (tensor<1x4x300x$Dx$T>, tensor<1x2x300x$Dx$T>, tensor<1x2x300x9x$T>) -> tensor<1x4x300x9x$T>
  return %o : tensor<1x4x300x9x$T>
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
