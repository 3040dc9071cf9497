// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s

// Eight rows are four register tiles, in a loop. For each four keys each of them prefetches a row of 256 bytes, a line with
// every other register, to the first-level cache. Nothing moves across a request.
// CHECK-LABEL: llvm.func {{.*}}@attend_decode_
// CHECK: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NEXT: llvm.fence syncscope("singlethread") acq_rel
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.prefetch
// CHECK: llvm.shufflevector

// A tile of o has four rows and a quarter of the columns: eight tiles, of which two read the same line of each key. With
// four keys each of them prefetches two lines.
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.prefetch
// CHECK: llvm.return
func.func @attend(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x8x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x8x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x8x64xf32>
  return %o : tensor<1x1x8x64xf32>
}
