// RUN: xf-opt %s -split-input-file -xf-lower-kernel-abi=machine=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: xf-opt %s -split-input-file -xf-lower-kernel-abi=machine=sm_90a -verify-diagnostics | FileCheck %s --check-prefixes=CHECK,GPU

// On a CPU sizes and pointers come from two arrays, in the order of the operands; on a GPU they are arguments, sizes first.
// CPU-LABEL: func.func private @read(
// CPU-SAME: %[[SCALARS:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr) attributes {xft.kernel}
// CPU: llvm.getelementptr %[[BUFFERS]][0]
// CPU: %[[X:.*]] = llvm.load {{.*}} -> !llvm.ptr
// CPU: llvm.getelementptr %[[SCALARS]][0]
// CPU: %[[SIZE:.*]] = llvm.load {{.*}} -> i64
// CPU: %[[ROWS:.*]] = arith.index_cast %[[SIZE]]
// CPU: llvm.getelementptr %[[SCALARS]][1]
// GPU-LABEL: func.func private @read(
// GPU-SAME: %[[SIZE:.*]]: i64, %[[N:.*]]: i64, %[[X:.*]]: !llvm.ptr<1>, %{{.*}}: i64) attributes {xft.kernel}
// GPU: llvm.addrspacecast %[[X]]
// GPU: %[[ROWS:.*]] = arith.index_cast %[[SIZE]]
// CHECK: arith.addi %[[ROWS]], %{{.*}} : index
// CHECK-NOT: memref
func.func private @read(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x8xf32, strided<[8, 1]>>, %n: index) attributes {xft.kernel} {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %x : memref<?x8xf32, strided<[8, 1]>> -> memref<f32>, index, index, index, index, index
  %address = memref.extract_aligned_pointer_as_index %x : memref<?x8xf32, strided<[8, 1]>> -> index
  %sum = arith.addi %sizes#0, %n : index
  return
}

// Other functions stay.
// CHECK-LABEL: func.func private @other(%{{.*}}: memref<4xf32>)
func.func private @other(%x: memref<4xf32>) {
  return
}
