// RUN: xf-reference %s --entry=published_leak --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=PUBLISHED
// RUN: xf-reference %s --entry=own_leak --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=OWN

// Causal FAVOR+ as published divides every key by e^max over the sequence before it adds epsilon: with epsilon > 0 the
// maximum does not cancel, and the last key changes what queries before it see. The op's form has a running maximum and
// no epsilon. How far outputs before the last token move when the last key is another one, which is ten times as long:
// PUBLISHED: moved : scalar f64 = 0.{{[1-9]}}
// OWN: moved : scalar f64 = 0{{$}}

// phi(x) = m^-1/2 (exp(W x~ - |x~|^2/2 - max) + 1e-3), the maximum of a row's for queries and of all of them for keys.
func.func private @exponents(%x: tensor<1x1x6x4xf64>, %w: tensor<8x4xf64>) -> (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>) {
  %c = arith.constant dense<0.7071067811865476> : tensor<f64> // 4^-1/4
  %half = arith.constant dense<0.5> : tensor<f64>
  %scaled = xf.mul %x, %c : (tensor<1x1x6x4xf64>, tensor<f64>) -> tensor<1x1x6x4xf64>
  %u = xf.linear %scaled, %w : (tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> tensor<1x1x6x8xf64>
  %squares = xf.square %scaled : tensor<1x1x6x4xf64>
  %norms = xf.reduce sum %squares axes [3] : tensor<1x1x6x4xf64> -> tensor<1x1x6xf64>
  %halves = xf.mul %norms, %half : (tensor<1x1x6xf64>, tensor<f64>) -> tensor<1x1x6xf64>
  %h = xf.reshape %halves : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  return %u, %h : tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>
}
func.func private @features(%u: tensor<1x1x6x8xf64>, %h: tensor<1x1x6x1xf64>, %max: tensor<1x1x6x1xf64>) -> tensor<1x1x6x8xf64> {
  %epsilon = arith.constant dense<1.0e-3> : tensor<f64>
  %0 = xf.sub %u, %h : (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x8xf64>
  %1 = xf.sub %0, %max : (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x8xf64>
  %2 = xf.exp %1 : tensor<1x1x6x8xf64>
  %3 = xf.add %2, %epsilon : (tensor<1x1x6x8xf64>, tensor<f64>) -> tensor<1x1x6x8xf64>
  return %3 : tensor<1x1x6x8xf64>
}
func.func private @published(%q: tensor<1x1x6x4xf64>, %k: tensor<1x1x6x4xf64>, %v: tensor<1x1x6x4xf64>, %w: tensor<8x4xf64>) -> tensor<1x1x6x4xf64> {
  %uq, %hq = func.call @exponents(%q, %w) : (tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>)
  %uk, %hk = func.call @exponents(%k, %w) : (tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>)
  %rows = xf.reduce max %uq axes [3] : tensor<1x1x6x8xf64> -> tensor<1x1x6xf64>
  %rowmax = xf.reshape %rows : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %all = xf.reduce max %uk axes [0, 1, 2, 3] : tensor<1x1x6x8xf64> -> tensor<f64>
  %allmax = xf.broadcast %all : tensor<f64> to tensor<1x1x6x1xf64>
  %fq = func.call @features(%uq, %hq, %rowmax) : (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x8xf64>
  %fk = func.call @features(%uk, %hk, %allmax) : (tensor<1x1x6x8xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x8xf64>
  %o = xf.attention %fq, %fk, %v pattern(#xf.kernelized<feature = identity, guard = 0.0, of = #xf.causal>) : (tensor<1x1x6x8xf64>, tensor<1x1x6x8xf64>, tensor<1x1x6x4xf64>) -> tensor<1x1x6x4xf64>
  return %o : tensor<1x1x6x4xf64>
}
func.func private @own(%q: tensor<1x1x6x4xf64>, %k: tensor<1x1x6x4xf64>, %v: tensor<1x1x6x4xf64>, %w: tensor<8x4xf64>) -> tensor<1x1x6x4xf64> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<8x4xf64>) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<1x1x6x4xf64>
  return %o : tensor<1x1x6x4xf64>
}

func.func private @with_last(%k: tensor<1x1x6x4xf64>, %last: tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64> {
  %ten = arith.constant dense<10.0> : tensor<f64>
  %far = xf.mul %last, %ten : (tensor<1x1x1x4xf64>, tensor<f64>) -> tensor<1x1x1x4xf64>
  %before = xf.slice %k offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x6x4xf64> to tensor<1x1x5x4xf64>
  %y = xf.concat %before, %far axis 2 : (tensor<1x1x5x4xf64>, tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64>
  return %y : tensor<1x1x6x4xf64>
}
func.func private @moved(%a: tensor<1x1x6x4xf64>, %b: tensor<1x1x6x4xf64>) -> tensor<f64> {
  %0 = xf.sub %a, %b : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<1x1x6x4xf64>
  %1 = xf.abs %0 : tensor<1x1x6x4xf64>
  %before = xf.slice %1 offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x6x4xf64> to tensor<1x1x5x4xf64>
  %2 = xf.reduce max %before axes [0, 1, 2, 3] : tensor<1x1x5x4xf64> -> tensor<f64>
  return %2 : tensor<f64>
}
func.func @published_leak(%q: tensor<1x1x6x4xf64> {xf.name = "q"}, %k: tensor<1x1x6x4xf64> {xf.name = "k"}, %v: tensor<1x1x6x4xf64> {xf.name = "v"}, %last: tensor<1x1x1x4xf64> {xf.name = "last"}, %w: tensor<8x4xf64> {xf.name = "w"}) -> (tensor<f64> {xf.name = "moved"}) {
  %other = func.call @with_last(%k, %last) : (tensor<1x1x6x4xf64>, tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64>
  %0 = func.call @published(%q, %k, %v, %w) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> tensor<1x1x6x4xf64>
  %1 = func.call @published(%q, %other, %v, %w) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> tensor<1x1x6x4xf64>
  %2 = func.call @moved(%0, %1) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<f64>
  return %2 : tensor<f64>
}
func.func @own_leak(%q: tensor<1x1x6x4xf64> {xf.name = "q"}, %k: tensor<1x1x6x4xf64> {xf.name = "k"}, %v: tensor<1x1x6x4xf64> {xf.name = "v"}, %last: tensor<1x1x1x4xf64> {xf.name = "last"}, %w: tensor<8x4xf64> {xf.name = "w"}) -> (tensor<f64> {xf.name = "moved"}) {
  %other = func.call @with_last(%k, %last) : (tensor<1x1x6x4xf64>, tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64>
  %0 = func.call @own(%q, %k, %v, %w) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> tensor<1x1x6x4xf64>
  %1 = func.call @own(%q, %other, %v, %w) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<8x4xf64>) -> tensor<1x1x6x4xf64>
  %2 = func.call @moved(%0, %1) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<f64>
  return %2 : tensor<f64>
}
