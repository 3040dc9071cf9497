// RUN: xf-run %s --target=reference --entry=published --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=PUBLISHED
// RUN: xf-run %s --target=cpu --entry=published --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=PUBLISHED
// RUN: xf-run %s --target=reference --entry=own --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=OWN
// RUN: xf-run %s --target=cpu --entry=own --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=last=random(4) --input=w=random(5) | FileCheck %s --check-prefix=OWN

// Causal FAVOR+ as published divides every key by e^max over the sequence before it adds epsilon: with epsilon > 0 the
// maximum does not cancel, and the last key changes what queries before it see. The op's form has a running maximum and
// no epsilon: earlier outputs stay as they are, bit for bit.
// PUBLISHED: moved : scalar f64 = 0.{{[1-9]}}
// OWN: moved : scalar f64 = 0{{$}}

// phi(x) = exp(W x~ - |x~|^2/2 - max) + 1e-3, the maximum of a row's for queries and of the sequence's for keys.
func.func @published(%q: tensor<1x1x6x4xf64> {xf.name = "q"}, %k: tensor<1x1x6x4xf64> {xf.name = "k"}, %v: tensor<1x1x6x4xf64> {xf.name = "v"}, %last: tensor<1x1x1x4xf64> {xf.name = "last"}, %w: tensor<8x4xf64> {xf.name = "w"}) -> (tensor<f64> {xf.name = "moved"}) {
  // Two batches, which differ in the last key: it is ten times as long.
  %ten = arith.constant dense<10.0> : tensor<f64>
  %far = xf.mul %last, %ten : (tensor<1x1x1x4xf64>, tensor<f64>) -> tensor<1x1x1x4xf64>
  %before = xf.slice %k offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x6x4xf64> to tensor<1x1x5x4xf64>
  %other = xf.concat %before, %far axis 2 : (tensor<1x1x5x4xf64>, tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64>
  %q2 = xf.concat %q, %q axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %k2 = xf.concat %k, %other axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %v2 = xf.concat %v, %v axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %c = arith.constant dense<0.7071067811865476> : tensor<f64> // 4^-1/4
  %half = arith.constant dense<0.5> : tensor<f64>
  %epsilon = arith.constant dense<1.0e-3> : tensor<f64>
  %scaledq = xf.mul %q2, %c : (tensor<2x1x6x4xf64>, tensor<f64>) -> tensor<2x1x6x4xf64>
  %uq = xf.linear %scaledq, %w : (tensor<2x1x6x4xf64>, tensor<8x4xf64>) -> tensor<2x1x6x8xf64>
  %squaresq = xf.square %scaledq : tensor<2x1x6x4xf64>
  %normq = xf.reduce sum %squaresq axes [3] : tensor<2x1x6x4xf64> -> tensor<2x1x6xf64>
  %halfq = xf.mul %normq, %half : (tensor<2x1x6xf64>, tensor<f64>) -> tensor<2x1x6xf64>
  %hq = xf.reshape %halfq : tensor<2x1x6xf64> to tensor<2x1x6x1xf64>
  %topq = xf.reduce max %uq axes [3] : tensor<2x1x6x8xf64> -> tensor<2x1x6xf64>
  %columnq = xf.reshape %topq : tensor<2x1x6xf64> to tensor<2x1x6x1xf64>
  %sq = xf.add %hq, %columnq : (tensor<2x1x6x1xf64>, tensor<2x1x6x1xf64>) -> tensor<2x1x6x1xf64>
  %xq = xf.sub %uq, %sq : (tensor<2x1x6x8xf64>, tensor<2x1x6x1xf64>) -> tensor<2x1x6x8xf64>
  %eq = xf.exp %xq : tensor<2x1x6x8xf64>
  %fq = xf.add %eq, %epsilon : (tensor<2x1x6x8xf64>, tensor<f64>) -> tensor<2x1x6x8xf64>
  %scaledk = xf.mul %k2, %c : (tensor<2x1x6x4xf64>, tensor<f64>) -> tensor<2x1x6x4xf64>
  %uk = xf.linear %scaledk, %w : (tensor<2x1x6x4xf64>, tensor<8x4xf64>) -> tensor<2x1x6x8xf64>
  %squaresk = xf.square %scaledk : tensor<2x1x6x4xf64>
  %normk = xf.reduce sum %squaresk axes [3] : tensor<2x1x6x4xf64> -> tensor<2x1x6xf64>
  %halfk = xf.mul %normk, %half : (tensor<2x1x6xf64>, tensor<f64>) -> tensor<2x1x6xf64>
  %hk = xf.reshape %halfk : tensor<2x1x6xf64> to tensor<2x1x6x1xf64>
  %topk = xf.reduce max %uk axes [1, 2, 3] : tensor<2x1x6x8xf64> -> tensor<2xf64>
  %columnk = xf.reshape %topk : tensor<2xf64> to tensor<2x1x1x1xf64>
  %sk = xf.add %hk, %columnk : (tensor<2x1x6x1xf64>, tensor<2x1x1x1xf64>) -> tensor<2x1x6x1xf64>
  %xk = xf.sub %uk, %sk : (tensor<2x1x6x8xf64>, tensor<2x1x6x1xf64>) -> tensor<2x1x6x8xf64>
  %ek = xf.exp %xk : tensor<2x1x6x8xf64>
  %fk = xf.add %ek, %epsilon : (tensor<2x1x6x8xf64>, tensor<f64>) -> tensor<2x1x6x8xf64>
  %o = xf.attention %fq, %fk, %v2 pattern(#xf.kernelized<feature = identity, guard = 0.0, of = #xf.causal>) : (tensor<2x1x6x8xf64>, tensor<2x1x6x8xf64>, tensor<2x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %first = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x1x6x4xf64> to tensor<1x1x5x4xf64>
  %second = xf.slice %o offsets [1, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x1x6x4xf64> to tensor<1x1x5x4xf64>
  %difference = xf.sub %first, %second : (tensor<1x1x5x4xf64>, tensor<1x1x5x4xf64>) -> tensor<1x1x5x4xf64>
  %distance = xf.abs %difference : tensor<1x1x5x4xf64>
  %moved = xf.reduce max %distance axes [0, 1, 2, 3] : tensor<1x1x5x4xf64> -> tensor<f64>
  return %moved : tensor<f64>
}

func.func @own(%q: tensor<1x1x6x4xf64> {xf.name = "q"}, %k: tensor<1x1x6x4xf64> {xf.name = "k"}, %v: tensor<1x1x6x4xf64> {xf.name = "v"}, %last: tensor<1x1x1x4xf64> {xf.name = "last"}, %w: tensor<8x4xf64> {xf.name = "w"}) -> (tensor<f64> {xf.name = "moved"}) {
  // Two batches, which differ in the last key: it is ten times as long.
  %ten = arith.constant dense<10.0> : tensor<f64>
  %far = xf.mul %last, %ten : (tensor<1x1x1x4xf64>, tensor<f64>) -> tensor<1x1x1x4xf64>
  %before = xf.slice %k offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x6x4xf64> to tensor<1x1x5x4xf64>
  %other = xf.concat %before, %far axis 2 : (tensor<1x1x5x4xf64>, tensor<1x1x1x4xf64>) -> tensor<1x1x6x4xf64>
  %q2 = xf.concat %q, %q axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %k2 = xf.concat %k, %other axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %v2 = xf.concat %v, %v axis 0 : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %o = xf.attention %q2, %k2, %v2 pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<8x4xf64>) : (tensor<2x1x6x4xf64>, tensor<2x1x6x4xf64>, tensor<2x1x6x4xf64>) -> tensor<2x1x6x4xf64>
  %first = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x1x6x4xf64> to tensor<1x1x5x4xf64>
  %second = xf.slice %o offsets [1, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x1x6x4xf64> to tensor<1x1x5x4xf64>
  %difference = xf.sub %first, %second : (tensor<1x1x5x4xf64>, tensor<1x1x5x4xf64>) -> tensor<1x1x5x4xf64>
  %distance = xf.abs %difference : tensor<1x1x5x4xf64>
  %moved = xf.reduce max %distance axes [0, 1, 2, 3] : tensor<1x1x5x4xf64> -> tensor<f64>
  return %moved : tensor<f64>
}
