// RUN: xf-opt %s --pass-pipeline='builtin.module(func.func(xf-plan-arena))' | FileCheck %s

// Sizes that follow a check of sizes come before it: the arena's size depends on them.
// CHECK-LABEL: func.func @checked
// CHECK: %[[N:.*]] = memref.dim
// CHECK: %[[TWICE:.*]] = arith.addi %[[N]], %[[N]]
// CHECK: xft.arena_size
// CHECK: xft.require_equal
func.func @checked(%x: memref<?xf32>, %y: memref<?xf32>) attributes {xft.entry} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = memref.dim %y, %c0 : memref<?xf32>
  xft.require_equal %n, %m
  %twice = arith.addi %n, %n : index
  %a = memref.alloc(%twice) : memref<?xf32>
  xft.launch @k tiles(%n) (%x, %a : memref<?xf32>, memref<?xf32>)
  return
}
func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?xf32, strided<[1]>>, %y: memref<?xf32, strided<[1]>>) attributes {xft.kernel} {
  return
}
