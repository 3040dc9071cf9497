// RUN: xf-reference %s --entry=anti_diagonal | FileCheck %s --check-prefix=ANTI-DIAGONAL
// RUN: xf-reference %s --entry=negative | FileCheck %s --check-prefix=NEGATIVE
// RUN: xf-reference %s --entry=sizes | FileCheck %s --check-prefix=SIZES
// RUN: xf-reference %s --entry=symbols | FileCheck %s --check-prefix=SYMBOLS
// RUN: xf-reference %s --entry=prefix_symbol | FileCheck %s --check-prefix=PREFIX-SYMBOL

// Quasi-affine sets: division and remainder are floor, symbols are run-time values.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// ANTI-DIAGONAL: rows : 1x1x6x1 f64 = 1, 0, 2, 9, 4, 18
func.func @anti_diagonal() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 3 == 0)>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Positions -3 .. 1: -2 mod 3 = 1, -2 floordiv 3 = -1.
// NEGATIVE: rows : 1x1x5x1 f64 = 0, 1, 0, 0, 2
func.func @negative() -> (tensor<1x1x5x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x5x1xf64>
  %k = arith.constant dense<0.0> : tensor<1x1x2x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i mod 3 == 1, i floordiv 3 + 1 == j)>) : (tensor<1x1x5x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>) -> (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>)
  %rows = func.call @sums_1x1x5(%o, %lse) : (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

// SIZES: rows : 1x1x4x1 f64 = 8, 4, 2, 1
func.func @sizes() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i + j == Nk - 1)>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

// SYMBOLS: rows : 2x1x3x1 f64 = 1, 2, 4, 1, 3, 6
func.func @symbols() -> (tensor<2x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<2x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]], [[[1.0], [2.0], [4.0]]]]> : tensor<2x1x3x1xf64>
  %p = arith.constant dense<[0, 1]> : tensor<2xi64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.affine<(i, j)[Nq, Nk, p] : (i - j ge 0, i - j le p)>) symbols(%p : tensor<2xi64>) : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>)
  %rows = func.call @sums_2x1x3(%o, %lse) : (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

// PREFIX-SYMBOL: rows : 1x2x3x1 f64 = 1, 3, 7, 3, 3, 7
func.func @prefix_symbol() -> (tensor<1x2x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x2x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]], [[1.0], [2.0], [4.0]]]]> : tensor<1x2x3x1xf64>
  %p = arith.constant dense<[[0, 2]]> : tensor<1x2xi64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.prefix) symbols(%p : tensor<1x2xi64>) : (tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>) -> (tensor<1x2x3x1xf64>, tensor<1x2x3xf64>)
  %rows = func.call @sums_1x2x3(%o, %lse) : (tensor<1x2x3x1xf64>, tensor<1x2x3xf64>) -> tensor<1x2x3x1xf64>
  return %rows : tensor<1x2x3x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x1x5(%o: tensor<1x1x5x1xf64>, %lse: tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64> {
  %count = xf.exp %lse : tensor<1x1x5xf64>
  %column = xf.reshape %count : tensor<1x1x5xf64> to tensor<1x1x5x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

func.func private @sums_1x1x4(%o: tensor<1x1x4x1xf64>, %lse: tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64> {
  %count = xf.exp %lse : tensor<1x1x4xf64>
  %column = xf.reshape %count : tensor<1x1x4xf64> to tensor<1x1x4x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

func.func private @sums_2x1x3(%o: tensor<2x1x3x1xf64>, %lse: tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64> {
  %count = xf.exp %lse : tensor<2x1x3xf64>
  %column = xf.reshape %count : tensor<2x1x3xf64> to tensor<2x1x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

func.func private @sums_1x2x3(%o: tensor<1x2x3x1xf64>, %lse: tensor<1x2x3xf64>) -> tensor<1x2x3x1xf64> {
  %count = xf.exp %lse : tensor<1x2x3xf64>
  %column = xf.reshape %count : tensor<1x2x3xf64> to tensor<1x2x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>) -> tensor<1x2x3x1xf64>
  return %rows : tensor<1x2x3x1xf64>
}
