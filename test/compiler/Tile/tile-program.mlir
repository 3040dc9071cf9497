// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s
// RUN: xf-opt %s -xf-tile-program="machine=x86-64-v3 vector-bits=512" | FileCheck %s --check-prefix=WIDE
// RUN: xf-opt %s -xf-tile-program=machine=sm_80 | FileCheck %s --check-prefix=GPU
// RUN: not xf-opt %s -xf-tile-program=machine=abacus 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not xf-opt %s -xf-tile-program="machine=sm_80 f32-products=fast" 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: not xf-opt %s -xf-tile-program=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS

// NAME: error: expected the name of a CPU of 64 bits that LLVM knows, or of a GPU (sm_80, {{.*}}), got 'abacus'
// PRODUCTS: error: expected one of exact, tf32, bf16x3 for f32 products, got 'fast'
// BITS: error: expected vectors of 128, 256 or 512 bits, got 100

// Tiles are those of the machine that the options name.
// CHECK: func.func @multiply(%{{.*}}: memref<64x64xf32>, %{{.*}}: memref<64x64xf32>, %{{.*}}: memref<64x64xf32> {xft.result = 0 : i64}) attributes {xft.entry
// CHECK: xft.launch @[[CONTRACT:contract_[0-9a-f]+]] tiles
// WIDE: xft.contract {{.*}} rows 6 columns 64
// GPU: xft.contract {{.*}} rows 16 columns 64
func.func @multiply(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = xf.linear %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// What is tiled already stays.
// CHECK: func.func private @kernel({{.*}}) attributes {xft.kernel} {
// CHECK-NEXT: return
// CHECK: func.func private @[[CONTRACT]]
// CHECK: xft.contract {{.*}} rows 6 columns 16
func.func private @kernel(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<4xf32>) attributes {xft.kernel} {
  return
}
