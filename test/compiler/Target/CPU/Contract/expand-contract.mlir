// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s
// RUN: sed 's/columns 16/columns 64/' %s | xfc - --start-from=kernel --stop-after=target --mcpu=x86-64-v4 -o - | FileCheck %s --check-prefix=WIDE

// Per term: two registers of B, six broadcast elements of A, twelve multiply-adds. Eight terms are unrolled, with
// requests for a line of the next panel and one that the tile writes; tails of 4, 2 and 1 rows follow.
// CHECK-LABEL: llvm.func @product
// CHECK-NOT: memref
// CHECK: "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK: "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 1 : i32}>
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK-COUNT-96: llvm.intr.fmuladd{{.*}}vector<8xf32>
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
// WIDE-COUNT-192: llvm.intr.fmuladd{{.*}}vector<16xf32>
func.func private @product(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 4096 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// A region with an elementary function: sums are put aside after the last term, and the two registers of a row go through
// it side by side.
// CHECK-LABEL: llvm.func @sigmoid
// CHECK: llvm.intr.fmuladd
// CHECK: %[[FIRST:.*]] = llvm.intr.roundeven({{.*}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: %[[SECOND:.*]] = llvm.intr.roundeven({{.*}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.fdiv {{.*}} : vector<8xf32>
// CHECK-NEXT: llvm.fdiv {{.*}} : vector<8xf32>
// CHECK-NOT: llvm.fdiv
// CHECK: llvm.br
func.func private @sigmoid(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 4096 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%sum: f32):
    %one = arith.constant 1.0 : f32
    %negative = arith.negf %sum : f32
    %power = math.exp %negative : f32
    %total = arith.addf %power, %one : f32
    %y = arith.divf %one, %total : f32
    xft.yield %y : f32
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
