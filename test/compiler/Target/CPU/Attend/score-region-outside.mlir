// A region that reads outside a captured tensor at a pair that it sees: the reference interpreter refuses the call, and
// compiled rows are NaN. Pairs that nobody sees may name any element.
// RUN: xf-run %s --entry=by_distance "--input=q=random(1)" --output=o=@%t.npy 2>/dev/null && %python %S/Inputs/nan_rows.py %t.npy 5 6 7
// RUN: xf-run %s --entry=by_integer "--input=q=random(1)" --output=o=@%t.npy 2>/dev/null && %python %S/Inputs/nan_rows.py %t.npy 3 4 5 6 7
// RUN: xf-run %s --entry=by_head "--input=q=random(1)" --output=o=@%t.npy 2>/dev/null && %python %S/Inputs/nan_rows.py %t.npy 8 9 10 11 12 13 14 15
// RUN: xf-run %s --entry=by_column "--input=q=random(1)" --output=o=@%t.npy 2>/dev/null && %python %S/Inputs/nan_rows.py %t.npy
// RUN: xf-run %s --entry=by_key "--input=q=random(1)" --vjp "--input=k=random(2)" "--input=table=random(3)" "--input=d_o=random(4)" --output=d_q=@%t.npy 2>/dev/null && %python %S/Inputs/nan_rows.py %t.npy 6 7
// RUN: not xf-run %s --entry=by_distance "--input=q=random(1)" --target=reference 2>&1 | FileCheck %s
// CHECK: score-region-outside.mlir:[[@LINE+7]]:13: error: expected an index in [0, 5), got 5

// Rows 5 to 7 see a distance past the table.
func.func @by_distance(%q: tensor<1x1x8x4xf32> {xf.name = "q"}) -> (tensor<1x1x8x4xf32> {xf.name = "o"}) {
  %table = arith.constant dense<1.0> : tensor<1x5xf32>
  %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<1x5xf32>) {
    %distance = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %distance] : tensor<1x5xf32>
    %r = arith.addf %s, %bias : f32
    xf.yield %r : f32
  } : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
// No integer stands for NaN: what is computed from one outside is.
func.func @by_integer(%q: tensor<1x1x8x4xf32> {xf.name = "q"}) -> (tensor<1x1x8x4xf32> {xf.name = "o"}) {
  %groups = arith.constant dense<[0, 1, 1]> : tensor<3xi32>
  %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %groups : tensor<3xi32>) {
    %here = tensor.extract %t[%j] : tensor<3xi32>
    %zero = arith.constant 0 : i32
    %less = arith.constant -1.0 : f32
    %isFirst = arith.cmpi eq, %here, %zero : i32
    %r = arith.select %isFirst, %less, %s : f32
    xf.yield %r : f32
  } : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
// The second head has no slope: a table says so, which only a call reads.
func.func @by_head(%q: tensor<1x2x8x4xf32> {xf.name = "q"}) -> (tensor<1x2x8x4xf32> {xf.name = "o"}) {
  %slopes = arith.constant dense<2.0> : tensor<1xf32>
  %numbers = arith.constant dense<[0, 1]> : tensor<2xi64>
  %o = xf.attention %q, %q, %q pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%t = %slopes : tensor<1xf32>, %n = %numbers : tensor<2xi64>) {
    %number = tensor.extract %n[%h] : tensor<2xi64>
    %place = arith.index_cast %number : i64 to index
    %slope = tensor.extract %t[%place] : tensor<1xf32>
    %r = arith.mulf %s, %slope : f32
    xf.yield %r : f32
  } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
// Keys 4 to 7 are outside and hidden.
func.func @by_column(%q: tensor<1x1x8x4xf32> {xf.name = "q"}) -> (tensor<1x1x8x4xf32> {xf.name = "o"}) {
  %table = arith.constant dense<1.0> : tensor<4xbf16>
  %o = xf.attention %q, %q, %q pattern(#xf.keys<[0 : 4]>) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<4xbf16>) {
    %short = tensor.extract %t[%j] : tensor<4xbf16>
    %bias = arith.extf %short : bf16 to f32
    %r = arith.addf %s, %bias : f32
    xf.yield %r : f32
  } : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
// Rows 6 and 7 see key 6.
func.func @by_key(%q: tensor<1x1x8x4xf32> {xf.name = "q"}, %k: tensor<1x1x8x4xf32> {xf.name = "k"}, %table: tensor<6xf32> {xf.name = "table"}) -> (tensor<1x1x8x4xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<6xf32>) {
    %bias = tensor.extract %t[%j] : tensor<6xf32>
    %r = arith.addf %s, %bias : f32
    xf.yield %r : f32
  } : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
