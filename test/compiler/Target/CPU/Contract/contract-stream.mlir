// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s

// One row by a panel of 32 columns: eight terms are 1 KB of the panel, so that each turn of the loop prefetches as many
// lines, 8 KB ahead.
// CHECK-LABEL: llvm.func @one
// CHECK-COUNT-16: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NOT: llvm.intr.prefetch
// CHECK-COUNT-32: llvm.intr.fmuladd{{.*}}vector<8xf32>
// CHECK: llvm.br
func.func private @one(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?x32xf32, strided<[?, 32, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 1 columns 32 block 1 depth 4096 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?x32xf32, strided<[?, 32, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// Eight rows are two register tiles, of which each prefetches half of the twelve lines that the next run has at eight terms.
// CHECK-LABEL: llvm.func @two_tiles
// CHECK-COUNT-6: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NOT: llvm.intr.prefetch
// CHECK-COUNT-96: llvm.intr.fmuladd{{.*}}vector<8xf32>
// CHECK: llvm.br
func.func private @two_tiles(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?x24xf32, strided<[?, 24, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 4 columns 24 block 8 depth 4096 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?x24xf32, strided<[?, 24, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}
