// RUN: xf-opt %s -split-input-file -xf-expand-kernels=machine=x86-64-v3 | FileCheck %s
// RUN: xf-opt %s -split-input-file -xf-expand-kernels=machine=sm_80 | FileCheck %s --check-prefix=GPU

// The target expands kernels; their operands, and the programs that launch them, stay.
// CHECK-LABEL: func.func @host
// CHECK: xft.launch @square tiles(%{{.*}}) (%{{.*}} : memref<8x?xf32, strided<[?, 1]>>, memref<8x?xf32, strided<[?, 1]>>, index, index, index)
// CHECK: func.func private @square(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %[[X:.*]]: memref<?x?xf32, strided<[?, 1]>>, %{{.*}}: memref<?x?xf32, strided<[?, 1]>>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index) attributes {xft.kernel}
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK-NOT: xft.rows

// A launch takes what the expansion says of the kernel.
// GPU: func.func private @square({{.*}}) attributes {xft.kernel, xft.shared_bytes = 0 : i64, xft.threads = {{[0-9]+}} : i64}
// GPU: nvvm.read.ptx.sreg
// GPU-NOT: xft.rows
func.func @host(%x: memref<8x?xf32, strided<[?, 1]>>, %y: memref<8x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.entry} {
  xft.launch @square tiles(%blocks) (%x, %y, %n, %d, %blocks : memref<8x?xf32, strided<[?, 1]>>, memref<8x?xf32, strided<[?, 1]>>, index, index, index)
  return
}
func.func private @square(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>,
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
