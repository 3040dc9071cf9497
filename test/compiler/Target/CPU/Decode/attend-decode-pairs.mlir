// RUN: xfc %s --stop-after=target --mcpu=cooperlake -o - 2>/dev/null | FileCheck %s
// RUN: xfc %s --stop-after=tile --mcpu=cooperlake --exact-weights -o - 2>/dev/null | FileCheck %s --check-prefix=EXACT

// Registers of 128 bits have no half with an instruction.
// RUN: xfc %s --stop-after=target --mcpu=cooperlake --vector-bits=128 -o - 2>/dev/null | FileCheck %s --check-prefix=NARROW --implicit-check-not=dpbf16ps
// NARROW-LABEL: llvm.func {{.*}}@attend_decode_

// Columns of q and k are multiplied in pairs as they lie, without a conversion; scale multiplies the scores.
// CHECK-LABEL: llvm.func {{.*}}@attend_decode_

// CHECK: llvm.intr.prefetch
// CHECK: llvm.load %{{.*}} -> vector<32xbf16>
// CHECK: dpbf16ps

// Values of two keys are interleaved, two registers at a time, within 128 bits. A row of o has its columns back at the end.
// CHECK: llvm.shufflevector %[[FIRST:[0-9]+]], %[[SECOND:[0-9]+]] [0, 32, 1, 33, 2, 34, 3, 35, 8, 40, {{.*}}, 27, 59] : vector<32xbf16>
// CHECK: llvm.shufflevector %[[FIRST]], %[[SECOND]] [4, 36, 5, 37, 6, 38, 7, 39, 12, 44, {{.*}}, 31, 63] : vector<32xbf16>
// CHECK-COUNT-2: dpbf16ps
// CHECK: llvm.shufflevector %[[LOWER:[0-9]+]], %[[UPPER:[0-9]+]] [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23] : vector<16xf32>
// CHECK: llvm.shufflevector %[[LOWER]], %[[UPPER]] [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : vector<16xf32>

// Exact weights are not rounded, and no operand is.
// EXACT: xft.attend_decode {{.*}} tile <sums = {{[0-9]+}}, lanes = 16, keys = 64, slice = 1024>

func.func @attend(%q: tensor<3x4x1x32xbf16>, %k: tensor<3x2x300x32xbf16>, %v: tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<3x4x1x32xbf16>, tensor<3x2x300x32xbf16>, tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16>
  return %o : tensor<3x4x1x32xbf16>
}
