// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// The gradient of an embedding owns columns, not places: 7 blocks of 771 columns.
// CHECK-LABEL: func.func @embedding_gradient
// CHECK: %[[BLOCKS:.*]] = arith.constant 7 : index
// CHECK: xft.launch @fill
// CHECK: xft.launch @embedding_vjp{{[^ ]*}} tiles(%[[BLOCKS]])
func.func @embedding_gradient(%ids: tensor<4xi32> {xf.name = "ids"}, %g: tensor<4x771xf32> {xf.name = "g"}) -> (tensor<5x771xf32> {xf.name = "d"}) {
  %d = xf.embedding_vjp %ids, %g : (tensor<4xi32>, tensor<4x771xf32>) -> tensor<5x771xf32>
  return %d : tensor<5x771xf32>
}

// A gradient that it is added to, and that nothing else reads, is where the places are added: no table is filled or copied.
// CHECK-LABEL: func.func @embedding_onto
// CHECK: memref.alloc() : memref<5x771xf32>
// CHECK: xft.launch @mul
// CHECK-NOT: memref.alloc
// CHECK-NOT: xft.launch @{{fill|copy}}
// CHECK: xft.launch @embedding_vjp
func.func @embedding_onto(%ids: tensor<4xi32> {xf.name = "ids"}, %g: tensor<4x771xf32> {xf.name = "g"}, %x: tensor<5x771xf32> {xf.name = "x"}) -> (tensor<5x771xf32> {xf.name = "d"}) {
  %initial = xf.mul %x, %x : (tensor<5x771xf32>, tensor<5x771xf32>) -> tensor<5x771xf32>
  %d = xf.embedding_vjp %ids, %g onto %initial : (tensor<4xi32>, tensor<4x771xf32>, tensor<5x771xf32>) -> tensor<5x771xf32>
  %y = xf.softmax %d : tensor<5x771xf32>
  return %y : tensor<5x771xf32>
}

// Rows are sorted by as many tasks as there are rows, at most 128, each of which has room for its candidates: all
// columns, or twice those that are wanted where these are many. No task compares an element with all others.
// CHECK-LABEL: func.func @sort
// CHECK-DAG: %[[KEYS:.*]] = memref.alloc() : memref<7x2000xi32>
// CHECK-DAG: %[[COLUMNS:.*]] = memref.alloc() : memref<7x2000xi32>
// CHECK: xft.launch @sort_{{[0-9a-f]+}} tiles(%c7)
// CHECK-NOT: xft.launch
func.func @sort(%x: tensor<7x1000xf32> {xf.name = "x"}) -> (tensor<7x1000xf32> {xf.name = "v"}, tensor<7x1000xi64> {xf.name = "i"}) {
  %v, %i = xf.top_k %x : tensor<7x1000xf32> -> tensor<7x1000xf32>, tensor<7x1000xi64>
  return %v, %i : tensor<7x1000xf32>, tensor<7x1000xi64>
}

// CHECK-LABEL: func.func @many_of_more
// CHECK-DAG: memref.alloc() : memref<128x1200xi16>
// CHECK-DAG: memref.alloc() : memref<128x1200xi32>
// CHECK: xft.launch @sort_{{[0-9a-f]+}} tiles(%c128)
// CHECK-NOT: xft.launch
func.func @many_of_more(%x: tensor<500x100000xbf16> {xf.name = "x"}) -> (tensor<500x300xbf16> {xf.name = "v"}, tensor<500x300xi32> {xf.name = "i"}) {
  %v, %i = xf.top_k %x : tensor<500x100000xbf16> -> tensor<500x300xbf16>, tensor<500x300xi32>
  return %v, %i : tensor<500x300xbf16>, tensor<500x300xi32>
}

// A task adds up whole rows by index; columns do not look for their indices.
// CHECK-LABEL: func.func @sums_by_index
// CHECK: xft.launch @take_along_sums_{{[0-9a-f]+}} tiles(%c4)
// CHECK-NOT: xft.launch
func.func @sums_by_index(%x: tensor<7x1000xf32> {xf.name = "x"}, %i: tensor<7x50xi64> {xf.name = "i"}, %u: tensor<7x50xf32> {xf.name = "u"}) -> (tensor<7x1000xf32> {xf.name = "y"}) {
  %y = xf.take_along_vjp %x, %i, %u : tensor<7x1000xf32>, tensor<7x50xi64>, tensor<7x50xf32>
  return %y : tensor<7x1000xf32>
}

// Sums so far are one launch, with four rows of a task, or 32 that lie side by side.
// CHECK-LABEL: func.func @cumsum
// CHECK: xft.launch @cumsum_{{[0-9a-f]+}} tiles(%c2)
// CHECK-NOT: xft.launch
func.func @cumsum(%x: tensor<7x100000xf32> {xf.name = "x"}) -> (tensor<7x100000xf32> {xf.name = "y"}) {
  %y = xf.cumsum %x : tensor<7x100000xf32>
  return %y : tensor<7x100000xf32>
}

// CHECK-LABEL: func.func @cumsum_down
// CHECK: xft.launch @cumsum_{{[0-9a-f]+}} tiles(%c3)
// CHECK-NOT: xft.launch
func.func @cumsum_down(%x: tensor<1000x96xf32> {xf.name = "x"}) -> (tensor<1000x96xf32> {xf.name = "y"}) {
  %t = xf.transpose %x permutation [1, 0] : tensor<1000x96xf32> to tensor<96x1000xf32>
  %s = xf.cumsum %t : tensor<96x1000xf32>
  %y = xf.transpose %s permutation [1, 0] : tensor<96x1000xf32> to tensor<1000x96xf32>
  return %y : tensor<1000x96xf32>
}
