// RUN: xfc %s --start-from=kernel --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s

// Copies with an elementary function wait for their own chains only: all four take each step together.
// CHECK-LABEL: llvm.func @chains
// CHECK: llvm.intr.roundeven
// CHECK-NOT: llvm.store
// CHECK: llvm.intr.roundeven
// CHECK-NOT: llvm.store
// CHECK: llvm.intr.roundeven
// CHECK-NOT: llvm.store
// CHECK: llvm.intr.roundeven
// CHECK-COUNT-4: llvm.store {{.*}} : vector<8xf32>
func.func private @chains(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                          %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %s = math.exp %e : f32
      xft.yield %s : f32
    }
  }
  return
}

// The last phase of a row fetches the next row, where its results go past the caches.
// CHECK-LABEL: llvm.func @ahead
// CHECK-NOT: prefetch
// CHECK: llvm.cond_br
// CHECK-COUNT-2: llvm.intr.prefetch
// CHECK-COUNT-4: nontemporal
// CHECK-NOT: prefetch
// CHECK: llvm.return
func.func private @ahead(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
                         %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    %sum = xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) combine(add) -> f32 {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      %r = arith.mulf %e, %sum : f32
      xft.yield %r : f32
    }
  }
  return
}

// Four sums at a time do not wait for each other: of registers where rows lie side by side, then of elements.
// CHECK-LABEL: llvm.func @cumsum_down
// CHECK-COUNT-4: llvm.fadd {{.*}} : vector<4xf64>
// CHECK-COUNT-4: llvm.fadd {{.*}} : f64
// CHECK: llvm.br
// CHECK: llvm.fadd {{.*}} : f64
// CHECK-NOT: llvm.fadd
func.func private @cumsum_down(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[1, ?]>>, %y: memref<?x?xf32, strided<[1, ?]>>,
                               %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%n) columns(%d) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cumsum %x to %y : memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32, strided<[1, ?]>>
  }
  return
}
