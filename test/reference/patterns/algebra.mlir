// RUN: xf-reference %s --entry=union | FileCheck %s --check-prefix=UNION
// RUN: xf-reference %s --entry=intersection | FileCheck %s --check-prefix=INTERSECTION
// RUN: xf-reference %s --entry=difference | FileCheck %s --check-prefix=DIFFERENCE
// RUN: xf-reference %s --entry=heads | FileCheck %s --check-prefix=HEADS
// RUN: xf-reference %s --entry=queries | FileCheck %s --check-prefix=QUERIES
// RUN: xf-reference %s --entry=global | FileCheck %s --check-prefix=GLOBAL
// RUN: xf-reference %s --entry=block | FileCheck %s --check-prefix=BLOCK
// RUN: xf-reference %s --entry=permute | FileCheck %s --check-prefix=PERMUTE

// Patterns over patterns.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// UNION: rows : 1x1x6x1 f64 = 1, 3, 7, 13, 25, 49
func.func @union() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.union<[#xf.window<left = 1>, #xf.keys<[0 : 1]>]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// INTERSECTION: rows : 1x1x6x1 f64 = 1, 1, 5, 5, 21, 21
func.func @intersection() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.intersection<[#xf.causal, #xf.keys<[0 : 1], mod = 2>]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// DIFFERENCE: rows : 1x1x6x1 f64 = 62, 60, 56, 48, 32, 0
func.func @difference() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.difference<[#xf.dense, #xf.causal]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Head 2 takes member 2 mod 2.
// HEADS: rows : 1x3x2x1 f64 = 1, 3, 1, 2, 1, 3
func.func @heads() -> (tensor<1x3x2x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x3x2x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0]], [[1.0], [2.0]], [[1.0], [2.0]]]]> : tensor<1x3x2x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.heads<[#xf.causal, #xf.window<left = 0>]>) : (tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64>) -> (tensor<1x3x2x1xf64>, tensor<1x3x2xf64>)
  %rows = func.call @sums_1x3x2(%o, %lse) : (tensor<1x3x2x1xf64>, tensor<1x3x2xf64>) -> tensor<1x3x2x1xf64>
  return %rows : tensor<1x3x2x1xf64>
}

// QUERIES: rows : 1x1x6x1 f64 = 0, 63, 0, 0, 63, 0
func.func @queries() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.queries<[1 : 2, 4 : 5]>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// GLOBAL: rows : 1x1x5x1 f64 = 31, 17, 17, 17, 31
func.func @global() -> (tensor<1x1x5x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x5x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0]]]]> : tensor<1x1x5x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.global<[0, -1]>) : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>)
  %rows = func.call @sums_1x1x5(%o, %lse) : (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

// The last block is short.
// BLOCK: rows : 1x1x5x1 f64 = 3, 3, 15, 15, 28
func.func @block() -> (tensor<1x1x5x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x5x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0]]]]> : tensor<1x1x5x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.block<size = 2, of = #xf.window<left = 1>>) : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>)
  %rows = func.call @sums_1x1x5(%o, %lse) : (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

// Token 1 comes first, then 2, then 0.
// PERMUTE: rows : 1x1x3x1 f64 = 7, 2, 6
func.func @permute() -> (tensor<1x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]]]> : tensor<1x1x3x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.permute<[2, 0, 1], of = #xf.causal>) : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> (tensor<1x1x3x1xf64>, tensor<1x1x3xf64>)
  %rows = func.call @sums_1x1x3(%o, %lse) : (tensor<1x1x3x1xf64>, tensor<1x1x3xf64>) -> tensor<1x1x3x1xf64>
  return %rows : tensor<1x1x3x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x3x2(%o: tensor<1x3x2x1xf64>, %lse: tensor<1x3x2xf64>) -> tensor<1x3x2x1xf64> {
  %count = xf.exp %lse : tensor<1x3x2xf64>
  %column = xf.reshape %count : tensor<1x3x2xf64> to tensor<1x3x2x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64>) -> tensor<1x3x2x1xf64>
  return %rows : tensor<1x3x2x1xf64>
}

func.func private @sums_1x1x5(%o: tensor<1x1x5x1xf64>, %lse: tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64> {
  %count = xf.exp %lse : tensor<1x1x5xf64>
  %column = xf.reshape %count : tensor<1x1x5xf64> to tensor<1x1x5x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

func.func private @sums_1x1x3(%o: tensor<1x1x3x1xf64>, %lse: tensor<1x1x3xf64>) -> tensor<1x1x3x1xf64> {
  %count = xf.exp %lse : tensor<1x1x3xf64>
  %column = xf.reshape %count : tensor<1x1x3xf64> to tensor<1x1x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x3x1xf64>, tensor<1x1x3x1xf64>) -> tensor<1x1x3x1xf64>
  return %rows : tensor<1x1x3x1xf64>
}
