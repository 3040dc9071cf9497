// RUN: xfc %s --stop-after=target --mcpu=cooperlake -o - 2>/dev/null | FileCheck %s
// RUN: xfc %s --stop-after=tile --mcpu=cooperlake --exact-weights -o - 2>/dev/null | FileCheck %s --check-prefix=EXACT
// RUN: xfc %s --stop-after=kernel --mcpu=cooperlake -o %t.mlir 2>/dev/null
// RUN: not xfc %t.mlir --start-from=target --mcpu=x86-64-v3 -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER

// Columns of q and k are multiplied in pairs as they lie, without a conversion; scale multiplies the scores.
// CHECK-LABEL: llvm.func {{.*}}@attend_few_

// CHECK: llvm.intr.prefetch
// CHECK: llvm.load %{{.*}} -> vector<32xbf16>
// CHECK: dpbf16ps

// Values of two keys are interleaved.
// CHECK: llvm.shufflevector
// CHECK: dpbf16ps

// Exact weights are not rounded, and no operand is.
// EXACT: xft.attend_few {{.*}} tile <sums = {{[0-9]+}}, lanes = 16, keys = 64, slice = 1024>
// OTHER: error: expected a CPU with products of bf16, got x86-64-v3

func.func @attend(%q: tensor<3x4x1x32xbf16>, %k: tensor<3x2x300x32xbf16>, %v: tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<3x4x1x32xbf16>, tensor<3x2x300x32xbf16>, tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16>
  return %o : tensor<3x4x1x32xbf16>
}
