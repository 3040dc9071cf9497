// RUN: xf-reference %s --entry=lengths | FileCheck %s --check-prefix=LENGTHS
// RUN: xf-reference %s --entry=query_lengths | FileCheck %s --check-prefix=QUERY-LENGTHS
// RUN: xf-reference %s --entry=segments | FileCheck %s --check-prefix=SEGMENTS
// RUN: xf-reference %s --entry=relation | FileCheck %s --check-prefix=RELATION
// RUN: xf-reference %s --entry=table | FileCheck %s --check-prefix=TABLE
// RUN: xf-reference %s --entry=table_by_head | FileCheck %s --check-prefix=BY-HEAD
// RUN: xf-reference %s --entry=table_by_batch | FileCheck %s --check-prefix=BY-BATCH

// Patterns and clauses that ask run-time operands.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// LENGTHS: rows : 2x1x3x1 f64 = 3, 3, 3, 0, 0, 0
func.func @lengths() -> (tensor<2x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<2x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]], [[[1.0], [2.0], [4.0]]]]> : tensor<2x1x3x1xf64>
  %n = arith.constant dense<[2, 0]> : tensor<2xi64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.dense) lengths(%n : tensor<2xi64>) : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>)
  %rows = func.call @sums_2x1x3(%o, %lse) : (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

// QUERY-LENGTHS: rows : 2x1x3x1 f64 = 1, 3, 0, 1, 0, 0
func.func @query_lengths() -> (tensor<2x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<2x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]], [[[1.0], [2.0], [4.0]]]]> : tensor<2x1x3x1xf64>
  %n = arith.constant dense<[2, 1]> : tensor<2xi64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.causal) query_lengths(%n : tensor<2xi64>) : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>)
  %rows = func.call @sums_2x1x3(%o, %lse) : (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

// A negative segment belongs to none.
// SEGMENTS: rows : 1x1x6x1 f64 = 35, 35, 12, 12, 0, 35
func.func @segments() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %s = arith.constant dense<[[0, 0, 1, 1, -1, 0]]> : tensor<1x6xi32>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.segments) segments(%s, %s : tensor<1x6xi32>, tensor<1x6xi32>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// Segment 1 sees segment 0, not the other way; segment 2 is outside the relation.
// RELATION: rows : 1x1x4x1 f64 = 5, 7, 5, 0
func.func @relation() -> (tensor<1x1x4x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0]]]]> : tensor<1x1x4x1xf64>
  %s = arith.constant dense<[[0, 1, 0, 2]]> : tensor<1x4xi32>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.segments<relation = [[1, 0], [1, 1]]>) segments(%s, %s : tensor<1x4xi32>, tensor<1x4xi32>) : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>)
  %rows = func.call @sums_1x1x4(%o, %lse) : (tensor<1x1x4x1xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

// Block row 2 lists column 0 twice, which counts once.
// TABLE: rows : 1x1x5x1 f64 = 12, 12, 0, 0, 19
func.func @table() -> (tensor<1x1x5x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x5x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0]]]]> : tensor<1x1x5x1xf64>
  %offsets = arith.constant dense<[0, 1, 1, 4]> : tensor<4xi32>
  %columns = arith.constant dense<[1, 0, 2, 0]> : tensor<4xi32>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.table<block = 2>) table(%offsets, %columns : tensor<4xi32>, tensor<4xi32>) : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>)
  %rows = func.call @sums_1x1x5(%o, %lse) : (tensor<1x1x5x1xf64>, tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}

// Blocks of one query and two keys; -1 and 3 are no blocks. The second head's table.
// BY-HEAD: rows : 1x2x3x1 f64 = 3, 7, 4, 0, 4, 3
func.func @table_by_head() -> (tensor<1x2x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x2x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]], [[1.0], [2.0], [4.0]]]]> : tensor<1x2x3x1xf64>
  %columns = arith.constant dense<[[[[0, -1], [1, 0], [1, 1]], [[3, -1], [1, 2], [0, -7]]]]> : tensor<1x2x3x2xi32>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.table<block = 1, columns = 2>) table(%columns : tensor<1x2x3x2xi32>) : (tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>) -> (tensor<1x2x3x1xf64>, tensor<1x2x3xf64>)
  %rows = func.call @sums_1x2x3(%o, %lse) : (tensor<1x2x3x1xf64>, tensor<1x2x3xf64>) -> tensor<1x2x3x1xf64>
  return %rows : tensor<1x2x3x1xf64>
}

// Two rows of blocks for three rows of queries: the last one sees nothing.
// BY-BATCH: rows : 2x1x3x1 f64 = 2, 1, 0, 4, 2, 0
func.func @table_by_batch() -> (tensor<2x1x3x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<2x1x3x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0]]], [[[1.0], [2.0], [4.0]]]]> : tensor<2x1x3x1xf64>
  %columns = arith.constant dense<[[[1], [0]], [[2], [1]]]> : tensor<2x2x1xi64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.table<block = 1>) table(%columns : tensor<2x2x1xi64>) : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>)
  %rows = func.call @sums_2x1x3(%o, %lse) : (tensor<2x1x3x1xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

func.func private @sums_1x2x3(%o: tensor<1x2x3x1xf64>, %lse: tensor<1x2x3xf64>) -> tensor<1x2x3x1xf64> {
  %count = xf.exp %lse : tensor<1x2x3xf64>
  %column = xf.reshape %count : tensor<1x2x3xf64> to tensor<1x2x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x2x3x1xf64>, tensor<1x2x3x1xf64>) -> tensor<1x2x3x1xf64>
  return %rows : tensor<1x2x3x1xf64>
}

func.func private @sums_2x1x3(%o: tensor<2x1x3x1xf64>, %lse: tensor<2x1x3xf64>) -> tensor<2x1x3x1xf64> {
  %count = xf.exp %lse : tensor<2x1x3xf64>
  %column = xf.reshape %count : tensor<2x1x3xf64> to tensor<2x1x3x1xf64>
  %rows = xf.mul %o, %column : (tensor<2x1x3x1xf64>, tensor<2x1x3x1xf64>) -> tensor<2x1x3x1xf64>
  return %rows : tensor<2x1x3x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x1x4(%o: tensor<1x1x4x1xf64>, %lse: tensor<1x1x4xf64>) -> tensor<1x1x4x1xf64> {
  %count = xf.exp %lse : tensor<1x1x4xf64>
  %column = xf.reshape %count : tensor<1x1x4xf64> to tensor<1x1x4x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64>) -> tensor<1x1x4x1xf64>
  return %rows : tensor<1x1x4x1xf64>
}

func.func private @sums_1x1x5(%o: tensor<1x1x5x1xf64>, %lse: tensor<1x1x5xf64>) -> tensor<1x1x5x1xf64> {
  %count = xf.exp %lse : tensor<1x1x5xf64>
  %column = xf.reshape %count : tensor<1x1x5xf64> to tensor<1x1x5x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x5x1xf64>, tensor<1x1x5x1xf64>) -> tensor<1x1x5x1xf64>
  return %rows : tensor<1x1x5x1xf64>
}
