// RUN: xf-reference %s --entry=strided | FileCheck %s --check-prefix=STRIDED
// RUN: xf-reference %s --entry=strided_local | FileCheck %s --check-prefix=STRIDED-LOCAL
// RUN: xf-reference %s --entry=strided_column | FileCheck %s --check-prefix=STRIDED-COLUMN
// RUN: xf-reference %s --entry=fixed | FileCheck %s --check-prefix=FIXED
// RUN: xf-reference %s --entry=fixed_local | FileCheck %s --check-prefix=FIXED-LOCAL
// RUN: xf-reference %s --entry=fixed_column | FileCheck %s --check-prefix=FIXED-COLUMN
// RUN: xf-reference %s --entry=fixed_slot | FileCheck %s --check-prefix=FIXED-SLOT

// The patterns of Child 2019 and their parts.
// All scores are 0 and key j has the value 2^j, so a row's output times its number of keys is its set in binary.

// STRIDED: rows : 1x1x6x1 f64 = 1, 3, 7, 14, 29, 58
func.func @strided() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.strided<stride = 2>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// STRIDED-LOCAL: rows : 1x1x6x1 f64 = 1, 3, 7, 14, 28, 56
func.func @strided_local() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.strided<stride = 2, part = local>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// STRIDED-COLUMN: rows : 1x1x6x1 f64 = 1, 2, 5, 10, 21, 42
func.func @strided_column() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.strided<stride = 2, part = column>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// FIXED: rows : 1x1x6x1 f64 = 1, 3, 7, 12, 28, 60
func.func @fixed() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.fixed<block = 3, summary = 1>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// FIXED-LOCAL: rows : 1x1x6x1 f64 = 1, 3, 7, 8, 24, 56
func.func @fixed_local() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.fixed<block = 3, summary = 1, part = local>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// FIXED-COLUMN: rows : 1x1x6x1 f64 = 0, 0, 4, 4, 4, 36
func.func @fixed_column() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.fixed<block = 3, summary = 1, part = column>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

// FIXED-SLOT: rows : 1x1x6x1 f64 = 0, 2, 2, 2, 18, 18
func.func @fixed_slot() -> (tensor<1x1x6x1xf64> {xf.name = "rows"}) {
  %q = arith.constant dense<0.0> : tensor<1x1x6x1xf64>
  %v = arith.constant dense<[[[[1.0], [2.0], [4.0], [8.0], [16.0], [32.0]]]]> : tensor<1x1x6x1xf64>
  %o, %lse = xf.attention %q, %q, %v pattern(#xf.fixed<block = 3, summary = 1, part = column, slot = 1>) : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>)
  %rows = func.call @sums_1x1x6(%o, %lse) : (tensor<1x1x6x1xf64>, tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}

func.func private @sums_1x1x6(%o: tensor<1x1x6x1xf64>, %lse: tensor<1x1x6xf64>) -> tensor<1x1x6x1xf64> {
  %count = xf.exp %lse : tensor<1x1x6xf64>
  %column = xf.reshape %count : tensor<1x1x6xf64> to tensor<1x1x6x1xf64>
  %rows = xf.mul %o, %column : (tensor<1x1x6x1xf64>, tensor<1x1x6x1xf64>) -> tensor<1x1x6x1xf64>
  return %rows : tensor<1x1x6x1xf64>
}
