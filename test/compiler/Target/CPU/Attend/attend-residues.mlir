// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s
// RUN: xfc explain %s --mcpu=x86-64-v3 2>/dev/null | FileCheck %s --check-prefix=EXPLAIN

// Both operands of a product are registers, nothing is broadcast: 12 sums of 8 residues each.
// CHECK-LABEL: llvm.func {{.*}}@attend_residues
// CHECK: llvm.getelementptr inbounds %{{[0-9]+}}[288]
// CHECK-NEXT: %[[Q:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK-NEXT: %[[K:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK-NEXT: llvm.intr.fmuladd(%[[K]], %[[FIRST:[0-9]+]], %{{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: llvm.intr.fmuladd(%[[K]], %{{.*}}, %{{.*}})
// CHECK-NEXT: llvm.intr.fmuladd(%[[K]], %[[Q]], %{{.*}})
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: %[[NEXT:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK-NEXT: llvm.intr.fmuladd(%[[NEXT]], %[[FIRST]], %{{.*}})

// EXPLAIN: executed  20352 (1.205 of the pairs)
// EXPLAIN: residues r < 32: one in each of 8 lanes, 3 x 4 pairs of each; 12 accumulators, 3 of queries and 1 of a key are 16 of the 16 registers
func.func @column(%q: tensor<1x1x1024x16xf32>, %k: tensor<1x1x1024x16xf32>, %v: tensor<1x1x1024x16xf32>) -> tensor<1x1x1024x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 32, part = column>)
    : (tensor<1x1x1024x16xf32>, tensor<1x1x1024x16xf32>, tensor<1x1x1024x16xf32>) -> tensor<1x1x1024x16xf32>
  return %o : tensor<1x1x1024x16xf32>
}
