// Patterns whose kernels share a function: pieces, orders of queries and heads that differ in numbers alone. Queries are the
// last rows; with more of them than keys, the first positions are negative.
// RUN: xf-sweep %s --vjp A=31,7 D=8 T=f64
// RUN: xf-sweep %s --vjp --vector-bits=512 A=24 D=9 T=f32

// Windows of keys as long as each row's number: many lengths, one order of queries.
func.func @stairs$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 5 - j mod 5 ge 0, i floordiv 5 - j floordiv 5 ge 0)>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// Residues whose windows differ, and orders of queries that do.
func.func @layers$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 2, of = #xf.fixed<block = 4, summary = 1>, granularity = position, order = layer>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// Both at once, with pieces of all pairs in order, of which one assigns the gradients.
func.func @clamped$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 6], radius = [1, 2], clamp = true>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// Residues that start elsewhere.
func.func @three_sets$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 4, right = 3>, #xf.affine<(i, j)[Nq, Nk] : ((i - j) mod 5 == 0)>, #xf.keys<[0 : 1, 14 : 15]>]>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// Pieces with other bounds.
func.func @blocks$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.intersection<[#xf.queries<[0 : 9]>, #xf.keys<[0 : 8, 16 : 24]>]>, #xf.intersection<[#xf.queries<[9 : 17]>, #xf.keys<[3 : 8]>]>, #xf.intersection<[#xf.queries<[17 : 40]>, #xf.keys<[8 : 24]>]>]>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// Heads.
func.func @heads$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.window<left = 3>, #xf.window<left = 9, right = 2>]>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
func.func @blocks_of_heads$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.heads<[#xf.fixed<block = 4, summary = 1, part = column>, #xf.fixed<block = 6, summary = 2, part = column>]>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// What a score asks for is the key itself.
func.func @scores$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>, %t: tensor<2x24x$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 5 - j mod 5 ge 0, i floordiv 5 - j floordiv 5 ge 0)>)
    score(%s : $T, %b, %h, %i, %j) captures(%w = %t : tensor<2x24x$T>) {
      %x = tensor.extract %w[%h, %j] : tensor<2x24x$T>
      %y = math.sin %s : $T
      %z = arith.addf %x, %y : $T
      xf.yield %z : $T
    }
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
func.func @scores_of_layers$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>, %t: tensor<2x24x$T>) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.grid<layers = 2, of = #xf.fixed<block = 4, summary = 1>, granularity = position, order = layer>)
    score(%s : $T, %b, %h, %i, %j) captures(%w = %t : tensor<2x24x$T>) {
      %x = tensor.extract %w[%h, %j] : tensor<2x24x$T>
      %y = math.sin %s : $T
      %z = arith.addf %x, %y : $T
      xf.yield %z : $T
    }
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
// So does dropout.
func.func @dropped$$(%q: tensor<1x2x$Ax$Dx$T>, %k: tensor<1x1x24x$Dx$T>, %v: tensor<1x1x24x$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}) -> tensor<1x2x$Ax$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.window_nd<extents = [4, 6], radius = [1, 2], clamp = true>) dropout(0.25, %seed : tensor<2xi64>)
    : (tensor<1x2x$Ax$Dx$T>, tensor<1x1x24x$Dx$T>, tensor<1x1x24x$Dx$T>) -> tensor<1x2x$Ax$Dx$T>
  return %o : tensor<1x2x$Ax$Dx$T>
}
