// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=znver5 -o - | FileCheck %s

// Eight rows are two register tiles. With registers of 512 bits they take turns in parts of 64 terms, 16 KB of a panel, which
// is a third of the first-level cache. A tile loads its 16 sums from memory, but for the first part of a run. At two terms
// it prefetches four lines of its half of the next part, one after the other. It stores its sums, but for the last part.
// CHECK-LABEL: llvm.func @two_tiles
// CHECK-DAG: %[[TERMS:[0-9]+]] = llvm.mlir.constant(64 : i64)
// CHECK-DAG: %[[SIZE:[0-9]+]] = llvm.mlir.constant(512 : i64)
// CHECK: %[[PARTIAL:[0-9]+]] = llvm.alloca %[[SIZE]] x f32
// CHECK: %[[HALF:[0-9]+]] = llvm.mlir.constant(8192 : i64)
// CHECK: llvm.select %{{.*}}, %{{.*}}, %[[TERMS]]
// CHECK: %[[SUMS:[0-9]+]] = llvm.getelementptr inbounds %[[PARTIAL]][
// CHECK: llvm.mul %{{.*}}, %[[HALF]]
// CHECK: llvm.load %[[SUMS]] {{.*}} -> vector<16xf32>
// CHECK-COUNT-15: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: llvm.intr.prefetch"(%[[AHEAD:[0-9]+]]){{.*}}hint = 3
// CHECK-COUNT-3: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NEXT: llvm.getelementptr inbounds %[[AHEAD]][256]
// CHECK-NOT: llvm.intr.prefetch
// CHECK-COUNT-32: llvm.intr.fmuladd{{.*}}vector<16xf32>
// CHECK: llvm.br
// CHECK: llvm.store %{{.*}}, %[[SUMS]]
func.func private @two_tiles(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?x64xf32, strided<[?, 64, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%c) rows 4 columns 64 block 8 depth 4096 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?x64xf32, strided<[?, 64, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}
