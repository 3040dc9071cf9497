// Rows so long that not even the smallest tile fits the shared memory that every device has: the compiler says so, and a
// device that has less than the kernel needs refuses its entry.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx
// RUN: xfc %s --target=cuda --gpu-arch=sm_86 --emit=ptx -o %t-86.ptx 2>&1 | FileCheck %s
// CHECK: shared-memory.mlir:[[# @LINE + 2]]:{{[0-9]+}}: warning: kernel for sm_86: needs {{[0-9]+}} bytes of shared memory for a block; devices that have less, some only 101376, refuse its entry
func.func @wide(%q: tensor<1x1x9x1024xf32>, %k: tensor<1x1x9x1024xf32>, %v: tensor<1x1x9x1024xf32>) -> tensor<1x1x9x1024xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x9x1024xf32>, tensor<1x1x9x1024xf32>, tensor<1x1x9x1024xf32>) -> tensor<1x1x9x1024xf32>
  return %o : tensor<1x1x9x1024xf32>
}
