// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s

// Products of two queries and four keys take a register of each row of k for both, as it lies: bf16, converted. Each of
// four steps prefetches a line of keys ahead. Sums over lanes are transposed: interleaved in groups of 128 bits
// and added.
// CHECK-LABEL: llvm.func {{.*}}@attend_decode_
// CHECK-NOT: llvm.intr.masked
// CHECK-COUNT-1: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK-NEXT: %[[SECOND:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK-NEXT: llvm.load %{{.*}} -> vector<8xi16>
// CHECK: llvm.intr.fmuladd(%[[KEY:[0-9]+]], %[[FIRST]], %[[ZERO:[0-9]+]])
// CHECK-NEXT: llvm.intr.fmuladd(%[[KEY]], %[[SECOND]], %[[ZERO]])
// CHECK-COUNT-3: llvm.intr.fmuladd(%{{[0-9]+}}, %[[FIRST]], %[[ZERO]])
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-8: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-8: llvm.intr.fmuladd
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-8: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.prefetch
// CHECK: %[[LOWER:.*]] = llvm.shufflevector %[[A:.*]], %[[B:.*]] [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-NEXT: %[[UPPER:.*]] = llvm.shufflevector %[[A]], %[[B]] [2, 10, 3, 11, 6, 14, 7, 15]
// CHECK-NEXT: llvm.fadd %[[LOWER]], %[[UPPER]]
// CHECK: llvm.shufflevector {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK: llvm.store

// Then across groups, to scores of eight keys in order. Scores of a block that all rows see enter the maximum as they are.
// CHECK: %[[GROUPS:.*]] = llvm.shufflevector {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NEXT: %[[OTHERS:.*]] = llvm.shufflevector {{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-NEXT: %[[SUM:.*]] = llvm.fadd %[[GROUPS]], %[[OTHERS]]
// CHECK-NEXT: llvm.getelementptr

// Other blocks have masks.
// CHECK: llvm.and %{{.*}} : vector<8xi1>
// CHECK: %[[GROUPS:.*]] = llvm.shufflevector {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NEXT: %[[OTHERS:.*]] = llvm.shufflevector {{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-NEXT: %[[SUM:.*]] = llvm.fadd %[[GROUPS]], %[[OTHERS]]
// CHECK-NEXT: llvm.select %{{.*}}, %[[SUM]], %{{.*}}

// One launch, nothing else: 300 keys are one slice.
// CHECK-NOT: @gather_panels
// CHECK-NOT: @merge_slices
func.func @attend(%q: tensor<3x4x1x32xbf16>, %k: tensor<3x2x300x32xbf16>, %v: tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<3x4x1x32xbf16>, tensor<3x2x300x32xbf16>, tensor<3x2x300x32xbf16>) -> tensor<3x4x1x32xbf16>
  return %o : tensor<3x4x1x32xbf16>
}
