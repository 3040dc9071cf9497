// Features summed up into states: a query whose keys are all padding, or whose segment has none so far, sees no key, and a
// key behind the last query is seen by none. Such rows are not observable, be they NaN as here.
// RUN: xf-sweep %s --vjp T=f32 A=f32
// RUN: xf-sweep %s --vjp T=f64 A=f64 --seed=2
// RUN: xf-sweep %s --vjp T=bf16 A=f32 --seed=3

func.func @causal$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.causal) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = relu, guard = 0.5, of = #xf.causal>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @causal_running$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.causal) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @causal_offset$$(%q: tensor<3x2x5x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 5>}, %w: tensor<6x5x$T>) -> tensor<3x2x5x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x5x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.causal) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x5x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x5x1x$A>, tensor<3x2x5x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x5x$A> to tensor<3x2x5x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x5x1x$A>, tensor<$A>) -> tensor<3x2x5x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x5x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x5x5x$T>) -> tensor<3x2x5x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x5x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x7x1x$A>, tensor<3x1x5x1x$A>, tensor<3x1x5x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = hyperbolic, normalizer = count, stabilizer = row, of = #xf.causal>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x5x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x5x5x$T>
  return %o : tensor<3x2x5x5x$T>
}
func.func @dense$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x5x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x5x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.dense) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x5x1x$A>, tensor<3x2x5x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x5x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.dense) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x5x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x5x1x$A>, tensor<3x1x5x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x5x$A> to tensor<3x1x5x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x5x1x$A>, tensor<$A>) -> tensor<3x1x5x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x5x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x5x5x$T>) -> tensor<3x1x5x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = favor, guard = 0.5>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x5x5x$T>, tensor<3x1x5x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @dense_plain$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x5x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x5x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.dense) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x5x1x$A>, tensor<3x2x5x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x5x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.dense) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x5x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x5x1x$A>, tensor<3x1x5x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x5x$A> to tensor<3x1x5x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x5x1x$A>, tensor<$A>) -> tensor<3x1x5x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x5x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x5x5x$T>) -> tensor<3x1x5x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = elu, normalizer = none>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x5x5x$T>, tensor<3x1x5x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @segments$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>, %g: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}, %h: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.segments) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.segments) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) segments(%h, %g : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = favor, stabilizer = sequence, normalizer = count, of = #xf.segments>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @causal_segments$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<6x5x$T>, %g: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}, %h: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.intersection<[#xf.causal, #xf.segments]>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.intersection<[#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>, #xf.segments]>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) segments(%h, %g : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = softmax, guard = 0.5, of = #xf.intersection<[#xf.causal, #xf.segments]>>) params(%w : tensor<6x5x$T>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @more_queries$$(%q: tensor<3x2x9x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 9>}, %g: tensor<3x9xi32> {xf.range = array<i64: -1, 2>}, %h: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}) -> tensor<3x2x9x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x9x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.intersection<[#xf.causal, #xf.segments]>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x9xi32>, tensor<3x7xi32>) : (tensor<3x2x9x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x9x1x$A>, tensor<3x2x9x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x9x$A> to tensor<3x2x9x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x9x1x$A>, tensor<$A>) -> tensor<3x2x9x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x9x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x9x5x$T>) -> tensor<3x2x9x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x9x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.intersection<[#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>, #xf.segments]>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) segments(%h, %g : tensor<3x7xi32>, tensor<3x9xi32>) : (tensor<3x1x7x1x$A>, tensor<3x1x9x1x$A>, tensor<3x1x9x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = exp, guard = 0.5, of = #xf.intersection<[#xf.causal, #xf.segments]>>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x9xi32>, tensor<3x7xi32>) : (tensor<3x2x9x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x9x5x$T>
  return %o : tensor<3x2x9x5x$T>
}
func.func @decayed$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %a: tensor<3x2x7x$A>) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.causal) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %d = xf.sigmoid %a : tensor<3x2x7x$A>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = abs, epsilon = 0.1, normalizer = count, of = #xf.causal>) decay(%d : tensor<3x2x7x$A>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @decayed_segments$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %a: tensor<3x2x7x$A>, %g: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}, %h: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.intersection<[#xf.causal, #xf.segments]>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.intersection<[#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>, #xf.segments]>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) segments(%h, %g : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %d = xf.sigmoid %a : tensor<3x2x7x$A>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = elu, normalizer = none, of = #xf.intersection<[#xf.causal, #xf.segments]>>) decay(%d : tensor<3x2x7x$A>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @delta$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %w: tensor<3x5x$T>, %b: tensor<3x2x7x$A>) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.causal) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %c = xf.sigmoid %b : tensor<3x2x7x$A>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = sigmoid, guard = 0.5, of = #xf.causal>) params(%w : tensor<3x5x$T>) beta(%c : tensor<3x2x7x$A>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
func.func @delta_segments$$(%q: tensor<3x2x7x5x$T>, %k: tensor<3x1x7x5x$T>, %n: tensor<3xi64> {xf.range = array<i64: 0, 3>}, %m: tensor<3xi64> {xf.range = array<i64: 0, 7>}, %a: tensor<3x2x7x$A>, %b: tensor<3x2x7x$A>, %g: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}, %h: tensor<3x7xi32> {xf.range = array<i64: -1, 2>}) -> tensor<3x2x7x5x$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %large = arith.constant dense<-1.0> : tensor<$A>
  %null = arith.constant dense<0.0> : tensor<$A>
  %unseeing = xf.div %large, %null : (tensor<$A>, tensor<$A>) -> tensor<$A>
  %x0 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x1 = arith.constant dense<0.0> : tensor<3x2x7x1x$A>
  %x2, %x3 = xf.attention %x0, %x1, %x1 pattern(#xf.intersection<[#xf.causal, #xf.segments]>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>, tensor<3x2x7x1x$A>) -> (tensor<3x2x7x1x$A>, tensor<3x2x7x$A>)
  %x4 = xf.reshape %x3 : tensor<3x2x7x$A> to tensor<3x2x7x1x$A>
  %x5 = xf.compare eq %x4, %unseeing : (tensor<3x2x7x1x$A>, tensor<$A>) -> tensor<3x2x7x1xi1>
  %x = xf.where %x5, %nan, %q : (tensor<3x2x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x2x7x5x$T>) -> tensor<3x2x7x5x$T>
  %y0 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y1 = arith.constant dense<0.0> : tensor<3x1x7x1x$A>
  %y2, %y3 = xf.attention %y0, %y1, %y1 pattern(#xf.intersection<[#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0)>, #xf.segments]>) lengths(%m : tensor<3xi64>) query_lengths(%n : tensor<3xi64>) segments(%h, %g : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>, tensor<3x1x7x1x$A>) -> (tensor<3x1x7x1x$A>, tensor<3x1x7x$A>)
  %y4 = xf.reshape %y3 : tensor<3x1x7x$A> to tensor<3x1x7x1x$A>
  %y5 = xf.compare eq %y4, %unseeing : (tensor<3x1x7x1x$A>, tensor<$A>) -> tensor<3x1x7x1xi1>
  %y = xf.where %y5, %nan, %k : (tensor<3x1x7x1xi1>, tensor<1x1x1x1x$T>, tensor<3x1x7x5x$T>) -> tensor<3x1x7x5x$T>
  %d = xf.sigmoid %a : tensor<3x2x7x$A>
  %c = xf.sigmoid %b : tensor<3x2x7x$A>
  %o = xf.attention %x, %y, %y pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.intersection<[#xf.causal, #xf.segments]>>) decay(%d : tensor<3x2x7x$A>) beta(%c : tensor<3x2x7x$A>) lengths(%n : tensor<3xi64>) query_lengths(%m : tensor<3xi64>) segments(%g, %h : tensor<3x7xi32>, tensor<3x7xi32>) : (tensor<3x2x7x5x$T>, tensor<3x1x7x5x$T>, tensor<3x1x7x5x$T>) -> tensor<3x2x7x5x$T>
  return %o : tensor<3x2x7x5x$T>
}
