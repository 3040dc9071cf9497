// RUN: xf-opt %s -xf-plan-arena | FileCheck %s

// Lifetimes are those of all steps: a copy's buffers are needed at once ..
// CHECK-LABEL: func.func @copies
// CHECK-SAME: xft.arena_bound = 128
// CHECK: xft.arena_size %{{.*}}
// CHECK: %[[A_AT:.*]] = arith.constant 0 : index
// CHECK: %[[B_AT:.*]] = arith.constant 64 : index
// CHECK: %[[C_AT:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = xft.arena %[[A_AT]]
// CHECK: xft.copy %{{.*}} to %[[A]]
// CHECK: %[[B:.*]] = xft.arena %[[B_AT]]
// CHECK: xft.copy %[[A]] to %[[B]]
// CHECK: %[[C:.*]] = xft.arena %[[C_AT]]
// CHECK: xft.copy %[[B]] to %[[C]]
func.func @copies(%x: memref<16xf32>, %y: memref<16xf32>) attributes {xft.entry} {
  %a = memref.alloc() : memref<16xf32>
  xft.copy %x to %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  xft.copy %a to %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  xft.copy %b to %c : memref<16xf32> to memref<16xf32>
  xft.copy %c to %y : memref<16xf32> to memref<16xf32>
  return
}

// .. and those of a collective until it has been waited for, so that a buffer in between takes another place.
// CHECK-LABEL: func.func @collective
// CHECK-SAME: xft.arena_bound = 192
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 128 : index
// CHECK: %[[MINE:.*]] = xft.arena %[[ZERO]]
// CHECK: %[[ALL:.*]] = xft.arena %[[ONE]]
// CHECK: xft.collective all_reduce over ["data"] %[[MINE]], %[[ALL]]
// CHECK: %[[BETWEEN:.*]] = xft.arena %[[TWO]]
// CHECK: xft.copy %{{.*}} to %[[BETWEEN]]
// CHECK: xft.wait
func.func @collective(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) attributes {xft.entry} {
  %mine = memref.alloc() : memref<16xf32>
  %all = memref.alloc() : memref<16xf32>
  xft.copy %x to %mine : memref<16xf32> to memref<16xf32>
  %ticket = xft.collective all_reduce over ["data"] %mine, %all : memref<16xf32>, memref<16xf32>
  %between = memref.alloc() : memref<16xf32>
  xft.copy %x to %between : memref<16xf32> to memref<16xf32>
  xft.copy %between to %z : memref<16xf32> to memref<16xf32>
  xft.wait %ticket
  xft.copy %all to %y : memref<16xf32> to memref<16xf32>
  return
}
