// RUN: xfc %s --stop-after=target --mcpu=cooperlake -o - 2>/dev/null | FileCheck %s
// RUN: xfc %s --stop-after=tile --mcpu=cooperlake --exact-weights -o - 2>/dev/null | FileCheck %s --check-prefix=EXACT

// Registers of 128 bits have no half with an instruction.
// RUN: xfc %s --stop-after=target --mcpu=cooperlake --vector-bits=128 -o - 2>/dev/null | FileCheck %s --check-prefix=NARROW --implicit-check-not=dpbf16ps
// NARROW-LABEL: llvm.func {{.*}}@attend_few_

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

func.func @attend(%q: tensor<3x4x1x32xbf16>, %k: tensor<3x2x300x32xbf16>, %v: tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<3x4x1x32xbf16>, tensor<3x2x300x32xbf16>, tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16>
  return %o : tensor<3x4x1x32xbf16>
}
