// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s
// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=x86-64-v4 -o - | FileCheck %s --check-prefix=WIDE

// Four registers per iteration, then single ones, then a masked rest. Results go past the caches where they are large, no
// memory of an operand, and aligned; the kernel ends when they have arrived.
// CHECK-LABEL: llvm.func @map
// CHECK-NOT: memref
// CHECK: llvm.icmp "sgt"
// CHECK: %[[SIZE:[0-9]+]] = llvm.icmp "sgt" {{.*}} : i64
// CHECK-NEXT: %[[APART:[0-9]+]] = llvm.icmp "ne" {{.*}} : !llvm.ptr
// CHECK-NEXT: %[[LARGE:[0-9]+]] = llvm.and %[[SIZE]], %[[APART]]
// CHECK: %[[STREAMS:[0-9]+]] = llvm.and %[[LARGE]], %{{.*}}
// CHECK: llvm.cond_br %[[STREAMS]]
// CHECK-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64, nontemporal} : vector<8xf32>
// CHECK: llvm.br
// CHECK-NOT: nontemporal
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.br
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.br
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK: llvm.cond_br %[[LARGE]]
// CHECK: llvm.fence seq_cst
// WIDE-LABEL: llvm.func @map
// WIDE-COUNT-4: llvm.load {{.*}} -> vector<16xf32>
func.func private @map(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                       %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %s = arith.mulf %e, %e : f32
      xft.yield %s : f32
    }
  }
  return
}

// The partial sums of four registers do not wait for each other; lanes outside the mask add nothing.
// CHECK-LABEL: llvm.func @sum
// CHECK-COUNT-4: llvm.fadd {{.*}} : vector<8xf32>
// CHECK: llvm.br
// CHECK: llvm.select {{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: llvm.shufflevector {{.*}} [0, 1, 2, 3]
func.func private @sum(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 0]>>,
                       %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    %sum = xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) combine(add) -> f32 {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
    xft.element_store %sum, %y : f32, memref<?x?xf32, strided<[?, 0]>>
  }
  return
}

// A scalar of the row is a register before the columns' loop. A result that is read does not go past the caches.
// CHECK-LABEL: llvm.func @scale
// CHECK-NOT: nontemporal
// CHECK: llvm.load {{.*}} -> f32
// CHECK: llvm.shufflevector
// CHECK: llvm.load {{.*}} -> vector<8xf32>
func.func private @scale(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %s: memref<?x?xf32, strided<[?, 0]>>,
                         %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    %scale = xft.element_load %s : memref<?x?xf32, strided<[?, 0]>> -> f32
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%x : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %r = arith.mulf %e, %scale : f32
      xft.yield %r : f32
    }
  }
  return
}

// Columns that are apart are read one by one.
// CHECK-LABEL: llvm.func @strided
// CHECK-COUNT-8: llvm.load {{.*}} -> f32
// CHECK: llvm.store {{.*}} : vector<8xf32>
func.func private @strided(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, ?]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                           %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xf32, strided<[?, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}

// A bool is a byte, and any byte but 0 is true.
// CHECK-LABEL: llvm.func @bool
// CHECK: llvm.load {{.*}} -> vector<8xi8>
// CHECK: llvm.icmp "ne"
func.func private @bool(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xi1, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                        %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xi1, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: i1):
      %f = arith.uitofp %e : i1 to f32
      xft.yield %f : f32
    }
  }
  return
}
