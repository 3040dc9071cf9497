// RUN: xf-opt %s -split-input-file -xf-tile-program=machine=x86-64-v3 | FileCheck %s
// RUN: xf-opt %s -split-input-file -xf-tile-program=machine=sm_90a | FileCheck %s

// Bytes that stay as they are, in order, are copied without a kernel: a result that is a second one of its value, and,
// saved before another result may replace it, one that is an argument.
// CHECK-LABEL: func.func @results
// CHECK-SAME: (%[[X:[^:]*]]: memref<6x8xf32>
// CHECK: xft.launch @exp
// CHECK: %[[SAVED:.*]] = memref.alloc() : memref<6x8xf32>
// CHECK-DAG: %[[FROM:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [48], strides: [1]
// CHECK-DAG: %[[TO:.*]] = memref.reinterpret_cast %[[SAVED]] to offset: [0], sizes: [48], strides: [1]
// CHECK: xft.copy %[[FROM]] to %[[TO]] : memref<48xf32, strided<[1]>> to memref<48xf32, strided<[1]>>
// CHECK-COUNT-2: xft.copy
// CHECK-NOT: xft.{{copy|launch}}
// CHECK: return
func.func @results(%x: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<48xf32>, tensor<6x8xf32>) {
  %y = xf.exp %x : tensor<6x8xf32>
  %z = xf.reshape %y : tensor<6x8xf32> to tensor<48xf32>
  return %y, %z, %x : tensor<6x8xf32>, tensor<48xf32>, tensor<6x8xf32>
}

// -----

// Sizes may be those of the call.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x8xf16>
// CHECK: %[[ROWS:.*]] = memref.dim %[[X]]
// CHECK: %[[COUNT:.*]] = arith.muli %[[ROWS]], %{{.*}}
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[COUNT]]], strides: [1]
// CHECK: xft.copy %{{.*}} : memref<?xf16, strided<[1]>> to memref<?xf16, strided<[1]>>
// CHECK-NOT: xft.launch
// CHECK: return
func.func @dynamic(%x: tensor<?x8xf16>) -> tensor<?x8xf16> {
  return %x : tensor<?x8xf16>
}

// -----

// A kernel copies what changes its order or its elements, and bools, whose bytes may be any for true.
// CHECK-LABEL: func.func @kernels
// CHECK-NOT: xft.copy
// CHECK: xft.launch @copy
// CHECK: return
func.func @kernels(%x: tensor<6x8xf32>) -> tensor<8x6xf32> {
  %t = xf.transpose %x permutation [1, 0] : tensor<6x8xf32> to tensor<8x6xf32>
  return %t : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @bools
// CHECK-NOT: xft.copy
// CHECK: xft.launch @copy
// CHECK: return
func.func @bools(%x: tensor<6xi1>) -> tensor<6xi1> {
  return %x : tensor<6xi1>
}

// -----

// CHECK-LABEL: func.func @nothing
// CHECK-NOT: xft.{{copy|launch}}
// CHECK: return
func.func @nothing(%x: tensor<0x8xf32>) -> tensor<0x8xf32> {
  return %x : tensor<0x8xf32>
}
