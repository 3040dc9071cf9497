// RUN: xf-opt %s --xf-sink-waits | FileCheck %s

// Steps that touch neither buffer run before the wait; the first that does runs behind it, also through a view.
// CHECK-LABEL: func.func @sinks
func.func @sinks(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>, %u: memref<4xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  xft.launch @k tiles(%one) (%x, %a : memref<16xf32>, memref<16xf32>)
  // CHECK: %[[FIRST:.*]] = xft.collective
  %first = xft.collective all_reduce over ["data"] %a, %b : memref<16xf32>, memref<16xf32>
  xft.wait %first
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[C:.*]] : memref
  xft.launch @k tiles(%one) (%x, %c : memref<16xf32>, memref<16xf32>)
  // CHECK-NEXT: %[[SECOND:.*]] = xft.collective all_reduce over ["data"] %[[C]]
  %second = xft.collective all_reduce over ["data"] %c, %y : memref<16xf32>, memref<16xf32>
  xft.wait %second
  // CHECK: xft.wait %[[FIRST]]
  // CHECK-NEXT: xft.copy
  %view = memref.reinterpret_cast %b to offset: [4], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  xft.copy %view to %u : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>
  // CHECK-NEXT: xft.launch
  xft.launch @k tiles(%one) (%x, %z : memref<16xf32>, memref<16xf32>)
  // CHECK-NEXT: xft.wait %[[SECOND]]
  // CHECK-NEXT: return
  return
}

// What is sent from an argument is waited for before a result, which may take its memory; what nobody sends at once.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>, %u: memref<32xf32>, %p: memref<8xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  // CHECK: %[[TICKET:.*]] = xft.collective all_gather
  %ticket = xft.collective all_gather over ["data"] %x, %u : memref<16xf32>, memref<32xf32>
  xft.wait %ticket
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  // CHECK: xft.launch @k
  // CHECK-NEXT: xft.wait %[[TICKET]]
  // CHECK-NEXT: xft.launch @k
  xft.launch @k tiles(%one) (%b, %a : memref<16xf32>, memref<16xf32>)
  xft.launch @k tiles(%one) (%b, %y : memref<16xf32>, memref<16xf32>)
  // CHECK: %[[PART:.*]] = xft.collective all_slice
  // CHECK-NEXT: xft.wait %[[PART]]
  %part = xft.collective all_slice over ["data"] %a, %p : memref<16xf32>, memref<8xf32>
  xft.wait %part
  xft.launch @k tiles(%one) (%x, %z : memref<16xf32>, memref<16xf32>)
  return
}

func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<16xf32>, %y: memref<16xf32>) attributes {xft.kernel} {
  return
}
