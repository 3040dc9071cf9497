// The index of a loop with loops inside is hidden from LLVM's strength reduction; that of an innermost loop is not.
// RUN: xf-opt %s -xf-expand-kernels=machine=x86-64-v3 | FileCheck %s

// CHECK-LABEL: func.func private @rows
// CHECK: scf.for %[[ROW:.*]] = {{.*}} {
// CHECK-NEXT: %[[HIDDEN:.*]] = llvm.intr.expect %[[ROW]], %[[ROW]] : i64
// CHECK-NEXT: arith.muli %[[HIDDEN]]
// CHECK: scf.if
// CHECK-NEXT: scf.for %[[COLUMN:.*]] = {{.*}} {
// CHECK-NEXT: llvm.getelementptr {{.*}}[%[[COLUMN]]]
func.func private @rows(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                     %y: memref<?x?xf32, strided<[?, 1]>>, %rows: index, %columns: index, %blocks: index)
    attributes {xft.kernel} {
  xft.rows outer(%rows) columns(%columns) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %s = arith.mulf %e, %e : f32
      xft.yield %s : f32
    }
  }
  return
}
