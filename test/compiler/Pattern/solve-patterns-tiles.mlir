// RUN: xf-opt --xf-solve-patterns -split-input-file %s | FileCheck %s

// No order of queries makes this one intervals: the predicate stays, as it was written.
// CHECK-LABEL: func.func @tiles
// CHECK: solution = [#xf.solution<tiles = #xf.tiles<[(i, j)[Nq, Nk] : (
// CHECK-SAME: reason = "no interval of keys in any order of queries">>]
func.func @tiles(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x
       pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 8 - j floordiv 8) mod 8 == 0, (i - 2 * j) mod 3 == 0)>)
     : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// What no formula gives becomes symbols of a predicate.
// CHECK-LABEL: func.func @documents
// CHECK: solution = [#xf.solution<tiles = #xf.tiles<[(i, j)[Nq, Nk, p0, p1] : (
// CHECK-SAME: data = [<row = {{.*}}>, <column = {{.*}}>]
func.func @documents(%x: tensor<1x1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%ids, %ids : tensor<1x?xi32>, tensor<1x?xi32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// The static part has pieces; tiles are what it leaves.
// CHECK-LABEL: func.func @prefix_and_table
// CHECK: solution = [#xf.solution<pieces = [#xf.piece<{{.*}}>], tiles = #xf.tiles<[(i, j)[Nq, Nk, p0] : (
// CHECK-SAME: data = [<source = table, row = {{.*}}, column = {{.*}}>]
func.func @prefix_and_table(%x: tensor<1x1x?x4xf32>, %offsets: tensor<5xi32>, %columns: tensor<7xi32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.prefix<length = 3>, #xf.table<block = 8>]>) table(%offsets, %columns : tensor<5xi32>, tensor<7xi32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// A table that nothing is left for is not asked.
// CHECK-LABEL: func.func @causal_and_less
// CHECK: solution = [#xf.solution<pieces = [#xf.piece<{{[^>]*>[^>]*>}}
// CHECK-NOT: tiles
// CHECK: return
func.func @causal_and_less(%x: tensor<1x1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x1x?x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.causal, #xf.intersection<[#xf.window<left = 9>, #xf.segments]>]>) segments(%ids, %ids : tensor<1x?xi32>, tensor<1x?xi32>) : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}

// Blocks are drawn for every head, outside those that all rows have: no constraint says so again.
// CHECK-LABEL: func.func @bigbird
// CHECK: tiles = #xf.tiles<[(i, j)[Nq, Nk, p0] : (p0 - 1 ge 0)], reason = {{.*}}, data = [<source = lists,
// CHECK-SAME: heads = 2>]
func.func @bigbird(%x: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.bigbird<block = 8, random = 1>) : (tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  return %o : tensor<1x2x64x4xf32>
}

// Few blocks are all blocks.
// CHECK-LABEL: func.func @small_bigbird
// CHECK: solution = [#xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>]
func.func @small_bigbird(%x: tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.bigbird<block = 8, random = 1>) : (tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32>
  return %o : tensor<1x2x40x4xf32>
}

// CHECK-LABEL: func.func @permuted
// CHECK: data = [<source = numbers, row = {{.*}}, numbers = [2, 0, 1]>, <source = numbers, column = {{.*}}, numbers = [2, 0, 1]>]
func.func @permuted(%x: tensor<1x1x3x4xf32>) -> tensor<1x1x3x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.permute<[2, 0, 1], of = #xf.causal>) : (tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x3x4xf32>
  return %o : tensor<1x1x3x4xf32>
}
