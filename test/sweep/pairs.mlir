// What is asked of single pairs, over several blocks of queries and keys: score regions, predicates, dropout.
// RUN: xf-sweep %s N=70 M=131 L=61 D=16 T=bf16 A=f32
// RUN: xf-sweep %s N=67 M=67 L=0 D=8 T=f32 A=f32 --seed=2

// A soft cap.
func.func @capped$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) {
    %cap = arith.constant 2.0 : $A
    %x = arith.divf %s, %cap : $A
    %t = math.tanh %x : $A
    %y = arith.mulf %t, %cap : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// ALiBi: a slope for each head.
func.func @slopes$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %m: tensor<2x$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%slopes = %m : tensor<2x$A>) {
    %slope = tensor.extract %slopes[%h] : tensor<2x$A>
    %d = arith.subi %j, %i : index
    %n = arith.index_cast %d : index to i64
    %x = arith.sitofp %n : i64 to $A
    %bias = arith.mulf %slope, %x : $A
    %y = arith.addf %s, %bias : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// A number for each pair, of rows and keys that are residues.
func.func @table$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %m: tensor<2x$Nx$Mx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 3>) score(%s : $A, %b, %h, %i, %j) captures(%bias = %m : tensor<2x$Nx$Mx$T>) {
    %later = arith.constant $L : index
    %row = arith.subi %i, %later : index
    %t = tensor.extract %bias[%h, %row, %j] : tensor<2x$Nx$Mx$T>
    %zero = arith.constant 0.0 : $T
    %u = arith.maximumf %t, %zero : $T
    %c = arith.cmpf ogt, %u, %zero : $T
    %one = arith.constant 1.0 : $A
    %half = arith.constant 0.5 : $A
    %x = arith.select %c, %one, %half : $A
    %y = arith.mulf %s, %x : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// A bias for each eleven keys.
func.func @buckets$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %m: tensor<$Mx$A>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) captures(%t = %m : tensor<$Mx$A>) {
    %block = arith.constant 11 : index
    %n = arith.floordivsi %j, %block : index
    %x = tensor.extract %t[%n] : tensor<$Mx$A>
    %y = arith.addf %s, %x : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Scores of -inf hide keys, whose values are NaN here; the first rows see nothing else.
func.func @hidden$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %lost: tensor<1x1x$Mx1xi1>) -> tensor<1x2x$Nx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %x = xf.where %lost, %nan, %v : (tensor<1x1x$Mx1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T>
  %row = xf.reshape %lost : tensor<1x1x$Mx1xi1> to tensor<$Mxi1>
  %o = xf.attention %q, %k, %x pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%c = %row : tensor<$Mxi1>) {
    %t = tensor.extract %c[%j] : tensor<$Mxi1>
    %none = arith.constant 0xFF800000 : $A
    %y = arith.select %t, %none, %s : $A
    xf.yield %y : $A
  } : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

// Segments, of which -1 is none, and packed documents.
func.func @segments$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Mx$Dx$T>, %v: tensor<2x1x$Mx$Dx$T>, %a: tensor<2x$Nxi32> {xf.range = array<i64: -1, 2>}, %b: tensor<2x$Mxi32> {xf.range = array<i64: -1, 2>}) -> tensor<2x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.segments) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Mxi32>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Mx$Dx$T>, tensor<2x1x$Mx$Dx$T>) -> tensor<2x2x$Nx$Dx$T>
  return %o : tensor<2x2x$Nx$Dx$T>
}
// The rows of all documents but one see keys of NaN that are not theirs in the same blocks.
func.func @documents$$(%q: tensor<1x2x$Mx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %n: tensor<1x1xi64> {xf.range = array<i64: 0, $M>}, %m: tensor<1x1xi64> {xf.range = array<i64: 0, $M>}) -> tensor<1x2x$Mx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %none = arith.constant dense<-1> : tensor<1x1xi64>
  %one = arith.constant dense<0> : tensor<1x1xi64>
  %two = arith.constant dense<7> : tensor<1x1xi64>
  %any = xf.broadcast %one : tensor<1x1xi64> to tensor<1x$Mxi64>
  %place = xf.iota %any : tensor<1x$Mxi64>
  %isFirst = xf.compare lt %place, %n : (tensor<1x$Mxi64>, tensor<1x1xi64>) -> tensor<1x$Mxi1>
  %isSecond = xf.compare lt %place, %m : (tensor<1x$Mxi64>, tensor<1x1xi64>) -> tensor<1x$Mxi1>
  %later = xf.where %isSecond, %two, %none : (tensor<1x$Mxi1>, tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x$Mxi64>
  %a = xf.where %isFirst, %one, %later : (tensor<1x$Mxi1>, tensor<1x1xi64>, tensor<1x$Mxi64>) -> tensor<1x$Mxi64>
  %isNone = xf.compare lt %a, %one : (tensor<1x$Mxi64>, tensor<1x1xi64>) -> tensor<1x$Mxi1>
  %lost = xf.reshape %isNone : tensor<1x$Mxi1> to tensor<1x1x$Mx1xi1>
  %x = xf.where %lost, %nan, %k : (tensor<1x1x$Mx1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T>
  %y = xf.where %lost, %nan, %v : (tensor<1x1x$Mx1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T>
  %o = xf.attention %q, %x, %y pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %a : tensor<1x$Mxi64>, tensor<1x$Mxi64>) : (tensor<1x2x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Mx$Dx$T>
  return %o : tensor<1x2x$Mx$Dx$T>
}
// Blocks that are drawn, beside those of a window and of all keys.
func.func @bigbird$$(%q: tensor<1x2x$Mx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Mx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.bigbird<block = 16, random = 1, seed = 7>) : (tensor<1x2x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Mx$Dx$T>
  return %o : tensor<1x2x$Mx$Dx$T>
}
func.func @drawn$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.random<count = 3, seed = 7>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
// Affine sets that are no intervals.
func.func @comb$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %n: tensor<1xi64> {xf.range = array<i64: 0, $M>}) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 2>, #xf.prefix<length = 5>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>) lengths(%n : tensor<1xi64>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}

// Dropout, of keys in order and of residues; a row may drop what is NaN.
func.func @dropped$$(%q: tensor<1x2x$Nx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}) -> tensor<1x2x$Nx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) dropout(2.0e-1, %seed : tensor<2xi64>) : (tensor<1x2x$Nx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Nx$Dx$T>
  return %o : tensor<1x2x$Nx$Dx$T>
}
func.func @dropped_strided$$(%q: tensor<1x2x$Mx$Dx$T>, %k: tensor<1x1x$Mx$Dx$T>, %v: tensor<1x1x$Mx$Dx$T>, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}, %lost: tensor<1x1x$Mx1xi1>) -> tensor<1x2x$Mx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x1x1x$T>
  %y = xf.where %lost, %nan, %v : (tensor<1x1x$Mx1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x1x$Mx$Dx$T>
  %o = xf.attention %q, %k, %y pattern(#xf.strided<stride = 16>) dropout(9.5e-1, %seed : tensor<2xi64>) : (tensor<1x2x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>, tensor<1x1x$Mx$Dx$T>) -> tensor<1x2x$Mx$Dx$T>
  return %o : tensor<1x2x$Mx$Dx$T>
}
// All of it.
func.func @all$$(%q: tensor<2x2x$Nx$Dx$T>, %k: tensor<2x1x$Mx$Dx$T>, %v: tensor<2x1x$Mx$Dx$T>, %a: tensor<2x$Nxi32> {xf.range = array<i64: 0, 1>}, %b: tensor<2x$Mxi32> {xf.range = array<i64: 0, 1>}, %seed: tensor<2xi64> {xf.range = array<i64: 0, 1000000>}, %m: tensor<2x$Mx$A>) -> (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nxf32>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %b : tensor<2x$Nxi32>, tensor<2x$Mxi32>) score(%s : $A, %b0, %h, %i, %j) captures(%t = %m : tensor<2x$Mx$A>) {
    %x = tensor.extract %t[%b0, %j] : tensor<2x$Mx$A>
    %y = arith.addf %s, %x : $A
    xf.yield %y : $A
  } dropout(5.0e-1, %seed : tensor<2xi64>) : (tensor<2x2x$Nx$Dx$T>, tensor<2x1x$Mx$Dx$T>, tensor<2x1x$Mx$Dx$T>) -> (tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nxf32>)
  return %o, %lse : tensor<2x2x$Nx$Dx$T>, tensor<2x2x$Nxf32>
}
