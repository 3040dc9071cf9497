// Passes leave a function without a body as it is; the last one lowers it.

// RUN: xf-opt %s --xf-expand-attention-vjp --xf-expand-features --xf-expand-low-rank --xf-expand-relative | FileCheck %s
// RUN: xf-opt %s --xf-fuse | FileCheck %s
// RUN: xf-opt %s --xf-gradient | FileCheck %s
// RUN: xf-opt %s --xf-solve-patterns | FileCheck %s
// RUN: xf-opt %s --xf-tile-program | FileCheck %s
// RUN: xf-opt %s --xf-plan-arena | FileCheck %s
// RUN: xf-opt %s --xf-expand-kernels --xf-lower-kernel-abi | FileCheck %s
// RUN: xf-opt %s --xf-kernels-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK: func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
// LLVM: func private @f(
