// What a target for AMD's GPUs refuses.
// RUN: split-file %s %t
// RUN: not xf-amdgpu %t/operands.mlir 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not xf-amdgpu %t/tiles.mlir 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not xf-amdgpu %t/structured.mlir 2>&1 | FileCheck %s --check-prefix=STRUCTURED

//--- operands.mlir
// OPERANDS: operands.mlir:2:1: error: expected a kernel without operands, got 1
func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}

//--- tiles.mlir
// TILES: tiles.mlir:2:1: error: expected a kernel that does not read which tiles it computes
func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {xft.kernel} {
  llvm.store %end, %scratch : i64, !llvm.ptr
  return
}

//--- structured.mlir
// STRUCTURED: structured.mlir:4:3: error: expected no structured op in a kernel for gfx942, got 'xft.rows'
func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                     %rows: index, %columns: index, %blocks: index) attributes {xft.kernel} {
  xft.rows outer(%rows) columns(%columns) blocks(%blocks) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%x : memref<?x?xf32, strided<[?, 1]>>) {
    ^bb0(%column: i64, %e: f32):
      xft.yield %e : f32
    }
  }
  return
}
