// RUN: not xf-reference %s --entry=unknown_op 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not xf-reference %s --entry=unknown_scalar --input=arg0=1.0 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not xf-reference %s --entry=bad_id --input=ids=1xi32=3 2>&1 | FileCheck %s --check-prefix=ID
// RUN: not xf-reference %s --entry=outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not xf-reference %s --entry=recursion --input=arg0=1.0 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not xf-reference %s --entry=no_gradient --vjp --input=arg0=1.0 --input=d_result0=1.0 2>&1 | FileCheck %s --check-prefix=GRADIENT
// RUN: not xf-reference %s --entry=large 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not xf-reference %s --entry=sizes --input=a=2xf32=1.0 --input=b=3xf32=1.0 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not xf-reference %s --entry=wrong_result --input=x=2x4xf32=0.0 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not xf-reference %s --entry=bad_table 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not xf-reference %s --entry=low_rank --input=e=1x3xf32=0.0 2>&1 | FileCheck %s --check-prefix=LOWRANK
// RUN: not xf-reference %s --entry=no_gradient --vjp --input=arg0=1.0 2>&1 | FileCheck %s --check-prefix=COTANGENT
// RUN: not xf-reference %s --entry=recursive 2>&1 | FileCheck %s --check-prefix=ENTRY

// COTANGENT: expected --input=NAME=VALUE for d_result0
// ENTRY: expected --entry to name a function, got 'recursive'; did you mean 'recursion'?

// UNKNOWN: errors.mlir:[[# @LINE + 2]]:8: error: expected an op that the reference interpreter knows, got 'tensor.empty'
func.func @unknown_op() -> tensor<2xf32> {
  %x = tensor.empty() : tensor<2xf32>
  return %x : tensor<2xf32>
}

// SCALAR: errors.mlir:[[# @LINE + 3]]:10: error: expected a scalar op that the reference interpreter knows, got 'math.atanh'
func.func @unknown_scalar(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = xf.map (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    %b = math.atanh %a : f32
    xf.yield %b : f32
  }
  return %y : tensor<2xf32>
}

// Ids of the call are refused, in any shape.
// ID: errors.mlir:[[# @LINE + 4]]:8: error: expected ids in [0, 3), got 3
func.func @bad_id(%ids: tensor<1xi32> {xf.name = "ids"}) -> tensor<1x1x2xf32> {
  %table = arith.constant dense<0.0> : tensor<3x2xf32>
  %columns = xf.reshape %ids : tensor<1xi32> to tensor<1x1xi32>
  %y = xf.embedding %table, %columns : (tensor<3x2xf32>, tensor<1x1xi32>) -> tensor<1x1x2xf32>
  return %y : tensor<1x1x2xf32>
}

// A score region may name any index for a hidden pair, not for a visible one. What certainly does, the verifier refuses.
// OUTSIDE: errors.mlir:[[# @LINE + 9]]:10: error: expected an index in [0, 2), got -1
func.func @outside() -> tensor<1x1x2x1xf32> {
  %x = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %table = arith.constant dense<0.0> : tensor<2xf32>
  %o = xf.attention %x, %x, %x pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>) {
    %zero = arith.fptosi %s : f32 to i64
    %shift = arith.index_cast %zero : i64 to index
    %d = arith.subi %i, %j : index
    %shifted = arith.addi %d, %shift : index
    %y = tensor.extract %t[%shifted] : tensor<2xf32>
    xf.yield %y : f32
  } : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %o : tensor<1x1x2x1xf32>
}

// RECURSION: errors.mlir:[[# @LINE + 2]]:8: error: expected at most 256 calls inside each other, got a recursion
func.func @recursion(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = func.call @recursion(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// GRADIENT: errors.mlir:[[# @LINE + 2]]:8: error: expected an op with a gradient, got 'xf.clip_scale'
func.func @no_gradient(%x: tensor<1xf32>) -> tensor<f32> {
  %y = xf.clip_scale %x max_norm 1.0 : (tensor<1xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// LARGE: errors.mlir:[[# @LINE + 3]]:8: error: expected a tensor of at most 2147483648 elements, got 'tensor<4294967296x4294967296xf32>'
func.func @large() -> tensor<4294967296x4294967296xf32> {
  %x = arith.constant dense<0.0> : tensor<1xf32>
  %y = xf.broadcast %x : tensor<1xf32> to tensor<4294967296x4294967296xf32>
  return %y : tensor<4294967296x4294967296xf32>
}

// SIZES: errors.mlir:[[# @LINE + 2]]:8: error: expected sizes that broadcast, got {{2 and 3|3 and 2}}
func.func @sizes(%a: tensor<?xf32> {xf.name = "a"}, %b: tensor<?xf32> {xf.name = "b"}) -> tensor<?xf32> {
  %y = xf.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// RESULT: errors.mlir:[[# @LINE + 2]]:8: error: expected a result of shape [2], got 'tensor<3xf32>'
func.func @wrong_result(%x: tensor<?x4xf32> {xf.name = "x"}) -> tensor<3xf32> {
  %y = xf.reduce sum %x axes [1] : tensor<?x4xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// TABLE: errors.mlir:[[# @LINE + 5]]:8: error: expected table offsets that do not decrease, in [0, 1], got 7
func.func @bad_table() -> tensor<1x1x2x1xf32> {
  %x = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %offsets = arith.constant dense<[0, 7]> : tensor<2xi32>
  %columns = arith.constant dense<0> : tensor<1xi32>
  %o = xf.attention %x, %x, %x pattern(#xf.table<block = 2>) table(%offsets, %columns : tensor<2xi32>, tensor<1xi32>)
      : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %o : tensor<1x1x2x1xf32>
}

// LOWRANK: errors.mlir:[[# @LINE + 3]]:8: error: expected a projection of at least 2 rows and 3 columns, got shape [1, 3]
func.func @low_rank(%e: tensor<?x3xf32> {xf.name = "e"}) -> tensor<1x1x2x1xf32> {
  %x = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<?x3xf32>)
      : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %o : tensor<1x1x2x1xf32>
}
