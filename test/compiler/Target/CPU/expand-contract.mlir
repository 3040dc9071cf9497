// RUN: xfc %s --start-from=target --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s
// RUN: sed 's/columns 16/columns 64/' %s | xfc - --start-from=target --stop-after=target --mcpu=x86-64-v4 -o - | FileCheck %s --check-prefix=WIDE

// Per term: two registers of B, six broadcast elements of A, twelve multiply-adds. Four terms are unrolled, with a
// request for a line of the next panel; tails of 4, 2 and 1 rows follow.
// CHECK-LABEL: llvm.func @product
// CHECK-NOT: memref
// CHECK: llvm.intr.prefetch
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK-COUNT-48: llvm.intr.fmuladd{{.*}}vector<8xf32>
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.br
// CHECK-COUNT-12: llvm.intr.fmuladd{{.*}}vector<8xf32>
// CHECK: llvm.br
// CHECK-COUNT-8: llvm.intr.fmuladd
// CHECK: llvm.br
// CHECK-COUNT-4: llvm.intr.fmuladd
// CHECK: llvm.br
// CHECK-COUNT-2: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// The last panel may have fewer columns.
// CHECK: llvm.intr.masked.store

// WIDE-LABEL: llvm.func @product
// WIDE-COUNT-96: llvm.intr.fmuladd{{.*}}vector<16xf32>
func.func private @product(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 4096 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// Rows that lie one element apart are packed, eight elements of which six count, with a request for the line of a later
// term; then all six terms of k are neighbours.
// CHECK-LABEL: llvm.func @transposed
// CHECK: llvm.intr.prefetch
// CHECK: %[[ROWS:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.store %[[ROWS]], {{.*}} : vector<8xf32>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.br
// CHECK: %[[LAST:.*]] = llvm.getelementptr inbounds %[[TERM:.*]][5] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.load %[[LAST]] {{.*}} -> f32
// CHECK: %[[NEXT:.*]] = llvm.getelementptr inbounds %[[TERM]][6] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.load %[[NEXT]] {{.*}} -> f32
func.func private @transposed(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[1, ?]>>, %b: memref<?x?xf32, strided<[?, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 192 depth 512 : memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// Several panels of a tile: blocks of terms outside, panels inside, sums put aside for each panel (96 x 16 elements).
// CHECK-LABEL: llvm.func @long_sums
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(1536 : i64)
// CHECK: %[[ASIDE:.*]] = llvm.mul %[[PANEL:.*]], %[[SIZE]]
// CHECK: llvm.getelementptr inbounds %arg4[%[[ASIDE]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.intr.fmuladd
func.func private @long_sums(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?xf32, strided<[?, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 1024 panels 8 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}
