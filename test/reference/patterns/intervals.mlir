// RUN: xf-reference %s --entry=dense | FileCheck %s --check-prefix=DENSE
// RUN: xf-reference %s --entry=causal | FileCheck %s --check-prefix=CAUSAL
// RUN: xf-reference %s --entry=window | FileCheck %s --check-prefix=WINDOW
// RUN: xf-reference %s --entry=future | FileCheck %s --check-prefix=FUTURE
// RUN: xf-reference %s --entry=dilated | FileCheck %s --check-prefix=DILATED
// RUN: xf-reference %s --entry=prefix | FileCheck %s --check-prefix=PREFIX
// RUN: xf-reference %s --entry=decode | FileCheck %s --check-prefix=DECODE
// RUN: xf-reference %s --entry=more_queries | FileCheck %s --check-prefix=MORE-QUERIES

// Patterns that are bounds on i - j and on j.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// DENSE: rows : 1x1x6x1 f64 = 63, 63, 63, 63, 63, 63
func.func @dense() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.dense) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// CAUSAL: rows : 1x1x6x1 f64 = 1, 3, 7, 15, 31, 63
func.func @causal() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.causal) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// WINDOW: rows : 1x1x6x1 f64 = 3, 7, 15, 30, 60, 56
func.func @window() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.window<left = 2, right = 1>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// The last row is empty: 0 times exp(-inf) counts nothing.
// FUTURE: rows : 1x1x6x1 f64 = 62, 60, 56, 48, 32, 0
func.func @future() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.window<left = -1, right = unbounded>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// DILATED: rows : 1x1x6x1 f64 = 5, 10, 21, 42, 21, 42
func.func @dilated() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.dilated<left = 4, right = 2, step = 2>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// PREFIX: rows : 1x1x6x1 f64 = 7, 7, 7, 15, 31, 63
func.func @prefix() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.prefix<length = 3>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Two queries at the positions 4 and 5.
// DECODE: rows : 1x1x2x1 f64 = 31, 63
func.func @decode() -> (tensor<1x1x2x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x2x1xf64>
  %k = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x2x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x2x1xf64>, tensor<1x1x2xf64>)
  %rows = func.call @sums_1x1x2(%o, %lse) : (tensor<1x1x2x1xf64>, tensor<1x1x2xf64>) -> tensor<1x1x2x1xf64>
  return %rows : tensor<1x1x2x1xf64>
}

// Positions -2, -1, 0, 1; the first rows are empty.
// MORE-QUERIES: rows : 1x1x4x1 f64 = 0, 0, 1, 3
func.func @more_queries() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %k = arith.constant dense<0.0> : tensor<1x1x2x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf64>
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x4x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x1x2(%o: tensor<1x1x2x1xf64>, %lse: tensor<1x1x2xf64>) -> tensor<1x1x2x1xf64> {
  %count = xf.exp %lse : tensor<1x1x2xf64>
  %column = xf.reshape %count : tensor<1x1x2xf64> to tensor<1x1x2x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>) -> tensor<1x1x2x1xf64>
  return %rows : tensor<1x1x2x1xf64>
}

func.func private @sums_1x1x4(%o: tensor<1x1x4x1xf64>, %lse: tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64> {
  %count = xf.exp %lse : tensor<1x1x4xf64>
  %column = xf.reshape %count : tensor<1x1x4xf64> to tensor<1x1x4x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}
