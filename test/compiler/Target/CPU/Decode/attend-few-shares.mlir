// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s

// Eight rows are four register tiles, in a loop. Each of them prefetches four of the sixteen lines of four keys of 256
// bytes, one with every other register of a row, to the first-level cache.
// CHECK-LABEL: llvm.func {{.*}}@attend_few_
// CHECK: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.prefetch
// CHECK: llvm.shufflevector

// A tile of o has four rows and a quarter of the columns: eight tiles, each of which prefetches two lines with four keys.
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
