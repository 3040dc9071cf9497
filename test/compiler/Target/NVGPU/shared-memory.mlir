// Rows so long that not even the smallest tile fits: an error of the compiler, and not of a launch.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx
// RUN: not xfc %s --target=cuda --gpu-arch=sm_86 --emit=ptx -o %t-86.ptx 2>&1 | FileCheck %s
// RUN: not test -f %t-86.ptx
// CHECK: shared-memory.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: expected at most 101376 bytes of shared memory for a block on sm_86, got {{[0-9]+}}
func.func @wide(%q: tensor<1x1x9x1024xf32>, %k: tensor<1x1x9x1024xf32>, %v: tensor<1x1x9x1024xf32>) -> tensor<1x1x9x1024xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x9x1024xf32>, tensor<1x1x9x1024xf32>, tensor<1x1x9x1024xf32>) -> tensor<1x1x9x1024xf32>
  return %o : tensor<1x1x9x1024xf32>
}
