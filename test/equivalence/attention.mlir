// RUN: xf-equivalence %s --vjp
// RUN: xf-equivalence %s --pipeline='func.func(xf-fuse)'
// RUN: xf-equivalence %s --vjp --pipeline='func.func(xf-fuse)' --seed=2
// RUN: xf-equivalence %s --expand --seed=3
// RUN: xf-equivalence %s --expand --vjp --pipeline='func.func(xf-fuse)' --seed=4

func.func @causal_gqa(%q: tensor<2x4x9x3xf64>, %k: tensor<2x2x9x3xf64>, %v: tensor<2x2x9x5xf64>) -> (tensor<2x4x9x5xf64>, tensor<2x4x9xf64>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<2x4x9x3xf64>, tensor<2x2x9x3xf64>, tensor<2x2x9x5xf64>) -> (tensor<2x4x9x5xf64>, tensor<2x4x9xf64>)
  return %o, %lse : tensor<2x4x9x5xf64>, tensor<2x4x9xf64>
}
func.func @one_tensor(%x: tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64> {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 3>) scale 0.7
    : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}
func.func @lengths(%q: tensor<3x1x8x4xf64>, %k: tensor<3x1x8x4xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 8>}) -> tensor<3x1x8x4xf64> {
  %o = xf.attention %q, %k, %k pattern(#xf.window<left = 2, right = 1>) lengths(%n : tensor<3xi64>)
    : (tensor<3x1x8x4xf64>, tensor<3x1x8x4xf64>, tensor<3x1x8x4xf64>) -> tensor<3x1x8x4xf64>
  return %o : tensor<3x1x8x4xf64>
}
func.func @score(%q: tensor<1x2x8x4xf64>, %k: tensor<1x2x8x4xf64>, %v: tensor<1x2x8x4xf64>, %table: tensor<2x8xf64>, %slope: tensor<2xf64>) -> tensor<1x2x8x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    score(%s : f64, %b, %h, %i, %j) captures(%t = %table : tensor<2x8xf64>, %m = %slope : tensor<2xf64>) {
      %d = arith.subi %i, %j : index
      %bias = tensor.extract %t[%h, %d] : tensor<2x8xf64>
      %factor = tensor.extract %m[%h] : tensor<2xf64>
      %x = arith.mulf %s, %factor : f64
      %y = arith.addf %x, %bias : f64
      %c = arith.constant 3.0 : f64
      %r = arith.divf %y, %c : f64
      %z = math.tanh %r : f64
      %w = arith.mulf %z, %c : f64
      xf.yield %w : f64
    } : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}
func.func @low_rank(%q: tensor<1x2x8x4xf64>, %k: tensor<1x2x8x4xf64>, %v: tensor<1x2x8x4xf64>, %e: tensor<10x3xf64>, %f: tensor<10x3xf64>) -> tensor<1x2x8x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<10x3xf64>, tensor<10x3xf64>)
    : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}
func.func @low_rank_heads(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x8x4xf64>, %v: tensor<3x4x8x5xf64>, %e: tensor<2x10x3xf64>, %f: tensor<8x3xf64>) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e, %f : tensor<2x10x3xf64>, tensor<8x3xf64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x8x4xf64>, tensor<3x4x8x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @low_rank_lengths(%q: tensor<3x2x9x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x4xf64>, %e: tensor<9x3xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x2x9x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e : tensor<9x3xf64>) lengths(%n : tensor<3xi64>)
    : (tensor<3x2x9x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x4xf64>) -> tensor<3x2x9x4xf64>
  return %o : tensor<3x2x9x4xf64>
}
func.func @mean_2(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2, projection = mean>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @mean_3(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3, projection = mean>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @mean_4(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = mean>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @mean_7(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 7, projection = mean>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @mean_20(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 20, projection = mean>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @max_2(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 2, projection = max>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @max_3(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3, projection = max>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @max_4(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = max>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @max_7(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 7, projection = max>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @max_20(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 20, projection = max>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @strided_conv_3(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %wk: tensor<3x4xf64>, %wv: tensor<3x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3, projection = strided_conv>) params(%wk, %wv : tensor<3x4xf64>, tensor<3x5xf64>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @strided_conv_4(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %wk: tensor<3x4xf64>, %wv: tensor<3x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 4, projection = strided_conv>) params(%wk, %wv : tensor<3x4xf64>, tensor<3x5xf64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @strided_conv_9(%q: tensor<3x4x7x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x5xf64>, %wk: tensor<1x4xf64>, %wv: tensor<1x5xf64>, %n: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x4x7x5xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 9, projection = strided_conv>) params(%wk, %wv : tensor<1x4xf64>, tensor<1x5xf64>) lengths(%n : tensor<3xi64>)
    : (tensor<3x4x7x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x5xf64>) -> tensor<3x4x7x5xf64>
  return %o : tensor<3x4x7x5xf64>
}
func.func @low_rank_score(%q: tensor<3x2x9x4xf64>, %k: tensor<3x2x9x4xf64>, %v: tensor<3x2x9x4xf64>, %t: tensor<2x9x3xf64>, %seed: tensor<2xi64>, %m: tensor<3xi64> {xf.range = array<i64: 0, 9>}) -> tensor<3x2x9x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3, projection = mean>) query_lengths(%m : tensor<3xi64>)
    score(%s : f64, %b, %h, %i, %j) captures(%c = %t : tensor<2x9x3xf64>) {
      %x = tensor.extract %c[%h, %i, %j] : tensor<2x9x3xf64>
      %y = arith.addf %s, %x : f64
      xf.yield %y : f64
    } dropout(0.25, %seed : tensor<2xi64>)
    : (tensor<3x2x9x4xf64>, tensor<3x2x9x4xf64>, tensor<3x2x9x4xf64>) -> tensor<3x2x9x4xf64>
  return %o : tensor<3x2x9x4xf64>
}
func.func @dropped(%q: tensor<1x2x8x4xf64>, %k: tensor<1x2x8x4xf64>, %v: tensor<1x2x8x4xf64>, %seed: tensor<2xi64>) -> tensor<1x2x8x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(0.25, %seed : tensor<2xi64>)
    : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}
func.func @scaled(%q: tensor<1x2x8x4xf64>, %k: tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64> {
  %c = arith.constant dense<0.3> : tensor<f64>
  %s = xf.mul %q, %c : (tensor<1x2x8x4xf64>, tensor<f64>) -> tensor<1x2x8x4xf64>
  %o = xf.attention %s, %k, %k pattern(#xf.causal)
    : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}
