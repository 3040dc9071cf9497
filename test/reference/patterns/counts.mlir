// RUN: xf-reference %s --entry=n16 | FileCheck %s --check-prefix=N16
// RUN: xf-reference %s --entry=n100 | FileCheck %s --check-prefix=N100
// RUN: xf-reference %s --entry=bigbird | FileCheck %s --check-prefix=BIGBIRD
// RUN: xf-reference %s --entry=random | FileCheck %s --check-prefix=RANDOM

// Numbers of pairs (docs/specification.md, section 2). All scores are 0, so exp(lse) is the number of keys that a row sees.

// N16: window : scalar f64 = 70
// N16: column : scalar f64 = 40
// N16: union : scalar f64 = 82
// N16: fixed_local : scalar f64 = 40
// N16: fixed_column : scalar f64 = 28
// N16: fixed_union : scalar f64 = 64
func.func @n16() -> (tensor<f64> {xf.name = "window"}, tensor<f64> {xf.name = "column"}, tensor<f64> {xf.name = "union"},
                     tensor<f64> {xf.name = "fixed_local"}, tensor<f64> {xf.name = "fixed_column"}, tensor<f64> {xf.name = "fixed_union"}) {
  %x = arith.constant dense<0.0> : tensor<1x1x16x1xf64>
  %o0, %lse0 = xf.attention %x, %x, %x pattern(#xf.window<left = 4>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o1, %lse1 = xf.attention %x, %x, %x pattern(#xf.strided<stride = 4, part = column>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o2, %lse2 = xf.attention %x, %x, %x pattern(#xf.strided<stride = 4>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o3, %lse3 = xf.attention %x, %x, %x pattern(#xf.fixed<block = 4, summary = 1, part = local>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o4, %lse4 = xf.attention %x, %x, %x pattern(#xf.fixed<block = 4, summary = 1, part = column>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o5, %lse5 = xf.attention %x, %x, %x pattern(#xf.fixed<block = 4, summary = 1>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %n0 = func.call @count16(%lse0) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n1 = func.call @count16(%lse1) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n2 = func.call @count16(%lse2) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n3 = func.call @count16(%lse3) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n4 = func.call @count16(%lse4) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n5 = func.call @count16(%lse5) : (tensor<1x1x16xf64>) -> tensor<f64>
  return %n0, %n1, %n2, %n3, %n4, %n5 : tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>
}

// The last block is ragged.
// N100: union : scalar f64 = 1348
// N100: fixed_column : scalar f64 = 1800
// N100: fixed_union : scalar f64 = 2170
func.func @n100() -> (tensor<f64> {xf.name = "union"}, tensor<f64> {xf.name = "fixed_column"}, tensor<f64> {xf.name = "fixed_union"}) {
  %x = arith.constant dense<0.0> : tensor<1x1x100x1xf64>
  %o0, %lse0 = xf.attention %x, %x, %x pattern(#xf.strided<stride = 8>) : (tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>) -> (tensor<1x1x100x1xf64>, tensor<1x1x100xf64>)
  %o1, %lse1 = xf.attention %x, %x, %x pattern(#xf.fixed<block = 8, summary = 3, part = column>) : (tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>) -> (tensor<1x1x100x1xf64>, tensor<1x1x100xf64>)
  %o2, %lse2 = xf.attention %x, %x, %x pattern(#xf.fixed<block = 8, summary = 3>) : (tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>, tensor<1x1x100x1xf64>) -> (tensor<1x1x100x1xf64>, tensor<1x1x100xf64>)
  %n0 = func.call @count100(%lse0) : (tensor<1x1x100xf64>) -> tensor<f64>
  %n1 = func.call @count100(%lse1) : (tensor<1x1x100xf64>) -> tensor<f64>
  %n2 = func.call @count100(%lse2) : (tensor<1x1x100xf64>) -> tensor<f64>
  return %n0, %n1, %n2 : tensor<f64>, tensor<f64>, tensor<f64>
}

// Blocks of one token: 8 blocks have 62 of 64 pairs, 16 have 142 of 256.
// BIGBIRD: blocks8 : scalar f64 = 62
// BIGBIRD: blocks16 : scalar f64 = 142
// BIGBIRD: dense7 : scalar f64 = 49
func.func @bigbird() -> (tensor<f64> {xf.name = "blocks8"}, tensor<f64> {xf.name = "blocks16"}, tensor<f64> {xf.name = "dense7"}) {
  %x8 = arith.constant dense<0.0> : tensor<1x1x8x1xf64>
  %x16 = arith.constant dense<0.0> : tensor<1x1x16x1xf64>
  %x7 = arith.constant dense<0.0> : tensor<1x1x7x1xf64>
  %o0, %lse0 = xf.attention %x8, %x8, %x8 pattern(#xf.bigbird<block = 1, seed = 5>) : (tensor<1x1x8x1xf64>, tensor<1x1x8x1xf64>, tensor<1x1x8x1xf64>) -> (tensor<1x1x8x1xf64>, tensor<1x1x8xf64>)
  %o1, %lse1 = xf.attention %x16, %x16, %x16 pattern(#xf.bigbird<block = 1, seed = 5>) : (tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>, tensor<1x1x16x1xf64>) -> (tensor<1x1x16x1xf64>, tensor<1x1x16xf64>)
  %o2, %lse2 = xf.attention %x7, %x7, %x7 pattern(#xf.bigbird<block = 1, seed = 5>) : (tensor<1x1x7x1xf64>, tensor<1x1x7x1xf64>, tensor<1x1x7x1xf64>) -> (tensor<1x1x7x1xf64>, tensor<1x1x7xf64>)
  %e0 = xf.exp %lse0 : tensor<1x1x8xf64>
  %e2 = xf.exp %lse2 : tensor<1x1x7xf64>
  %n0 = xf.reduce sum %e0 axes [0, 1, 2] : tensor<1x1x8xf64> -> tensor<f64>
  %n1 = func.call @count16(%lse1) : (tensor<1x1x16xf64>) -> tensor<f64>
  %n2 = xf.reduce sum %e2 axes [0, 1, 2] : tensor<1x1x7xf64> -> tensor<f64>
  return %n0, %n1, %n2 : tensor<f64>, tensor<f64>, tensor<f64>
}

// Rows that have fewer than three keys outside the causal set take what there is.
// RANDOM: 1x1x6 f64 = 3, 3, 3, 2, 1, 0
func.func @random() -> tensor<1x1x6xf64> {
  %x = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %x, %x, %x pattern(#xf.random<count = 3, seed = 1, outside = #xf.causal>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %count = xf.exp %lse : tensor<1x1x6xf64>
  return %count : tensor<1x1x6xf64>
}

func.func private @count16(%lse: tensor<1x1x16xf64>) -> tensor<f64> {
  %keys = xf.exp %lse : tensor<1x1x16xf64>
  %pairs = xf.reduce sum %keys axes [0, 1, 2] : tensor<1x1x16xf64> -> tensor<f64>
  return %pairs : tensor<f64>
}

func.func private @count100(%lse: tensor<1x1x100xf64>) -> tensor<f64> {
  %keys = xf.exp %lse : tensor<1x1x100xf64>
  %pairs = xf.reduce sum %keys axes [0, 1, 2] : tensor<1x1x100xf64> -> tensor<f64>
  return %pairs : tensor<f64>
}
