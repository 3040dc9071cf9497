// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s

// A view has no launch: its reader reads the operand's memory by other strides. Dynamic sizes follow from the operand's.

// CHECK-LABEL: func.func @slice(%arg0
// CHECK: %[[ROWS:.*]] = memref.dim %arg0
// CHECK: xft.require_equal
// CHECK: %[[LAST:.*]] = arith.addi
// CHECK: %[[PLACES:.*]] = arith.floordivsi %[[LAST]], %c2
// CHECK: memref.reinterpret_cast %arg0 to offset: [6], sizes: [%[[PLACES]], 6], strides: [12, 1]
// CHECK: xft.launch @exp
// CHECK-NOT: xft.launch
func.func @slice(%x: tensor<?x6xf32> {xf.name = "x"}) -> (tensor<?x6xf32> {xf.name = "y"}) {
  %s = xf.slice %x offsets [1, 0] strides [2, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %y = xf.exp %s : tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @broadcast(%arg0
// CHECK: %[[COLUMNS:.*]] = memref.dim %arg0
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [3, %[[COLUMNS]]], strides: [0, 1]
// CHECK: xft.launch @exp
// CHECK-NOT: xft.launch
func.func @broadcast(%x: tensor<?xf32> {xf.name = "x"}) -> (tensor<3x?xf32> {xf.name = "y"}) {
  %s = xf.broadcast %x : tensor<?xf32> to tensor<3x?xf32>
  %y = xf.exp %s : tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// The rows of y are those of x, so all is one long row.
// CHECK-LABEL: func.func @reshape(%arg0
// CHECK: %[[ROWS:.*]] = memref.dim %arg0
// CHECK: %[[ELEMENTS:.*]] = arith.muli %[[ROWS]], %c6
// CHECK: %[[ROWS_OF_Y:.*]] = memref.dim %arg1
// CHECK: xft.require_equal %[[ROWS_OF_Y]], %[[ROWS]]
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [1, %[[ELEMENTS]]], strides: [0, 1]
// CHECK: xft.launch @exp
// CHECK-NOT: xft.launch
func.func @reshape(%x: tensor<?x6xf32> {xf.name = "x"}) -> (tensor<?x2x3xf32> {xf.name = "y"}) {
  %s = xf.reshape %x : tensor<?x6xf32> to tensor<?x2x3xf32>
  %y = xf.exp %s : tensor<?x2x3xf32>
  return %y : tensor<?x2x3xf32>
}

// CHECK-LABEL: func.func @constant(%arg0
// CHECK: %[[CONSTANT:.*]] = memref.get_global @xf_constant_0
// CHECK: memref.reinterpret_cast %[[CONSTANT]]
// CHECK: xft.launch @add
// CHECK-NOT: xft.launch
func.func @constant(%x: tensor<3xf32> {xf.name = "x"}) -> (tensor<3xf32> {xf.name = "y"}) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = xf.add %x, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// What reads a value limits its ids, and not those that the value waits for.
// CHECK-LABEL: func.func @after(%arg0
// CHECK-SAME: xf.name = "a", xf.range = array<i64: 0, 8>
// CHECK-SAME: xf.name = "b", xf.range = array<i64: 0, 2>
func.func @after(%table: tensor<9x4xf32>, %other: tensor<3x4xf32>, %a: tensor<5xi64> {xf.name = "a"}, %b: tensor<5xi64> {xf.name = "b"})
    -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %x = xf.embedding %table, %a : (tensor<9x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %later = xf.after %b, %a : tensor<5xi64>, tensor<5xi64>
  %y = xf.embedding %other, %later : (tensor<3x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  return %x, %y : tensor<5x4xf32>, tensor<5x4xf32>
}

// Repeated ids are the call's own, too.
// CHECK-LABEL: func.func @repeated(%arg0
// CHECK-SAME: xf.name = "ids", xf.range = array<i64: 0, 8>
func.func @repeated(%table: tensor<9x4xf32>, %ids: tensor<5xi64> {xf.name = "ids"}) -> tensor<2x5x4xf32> {
  %all = xf.broadcast %ids : tensor<5xi64> to tensor<2x5xi64>
  %y = xf.embedding %table, %all : (tensor<9x4xf32>, tensor<2x5xi64>) -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}
