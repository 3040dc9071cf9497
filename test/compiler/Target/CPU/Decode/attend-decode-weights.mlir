// RUN: xfc %s --entry=four --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: xfc %s --entry=three --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: xfc %s --entry=nine --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s --check-prefix=NINE
// RUN: xfc %s --entry=four --stop-after=target --mcpu=x86-64-v3 --vector-bits=128 -o - 2>/dev/null | FileCheck %s --check-prefix=NARROW

// The maximum of a row's scores, and its weights, which begin with the exponential of the change of m.
// CHECK-LABEL: llvm.func {{.*}}@attend_decode_
// CHECK: llvm.fcmp "oeq" {{.*}} : vector<8xf32>
// Four rows have a loop for each of them, between which scores wait in memory.
// FOUR: llvm.store {{.*}} : vector<8xf32>
// FOUR: llvm.br ^
// FOUR: llvm.cond_br
// FOUR-COUNT-9: llvm.load {{.*}} -> vector<8xf32>
// Three rows have one loop for both.
// THREE-NOT: llvm.br ^
// CHECK-COUNT-9: llvm.intr.roundeven

// In registers of 128 bits the sums that become scores leave no memory for what else would wait: rows have one loop.
// NARROW-LABEL: llvm.func {{.*}}@attend_decode_
// NARROW: llvm.fcmp "oeq" {{.*}} : vector<4xf32>
// NARROW-NOT: llvm.br ^
// NARROW: llvm.intr.roundeven

// With more than eight rows, lines ahead stay in the second-level cache.
// NINE: llvm.intr.prefetch{{.*}}hint = 2
func.func @four(%q: tensor<1x1x4x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x4x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x4x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x4x64xf32>
  return %o : tensor<1x1x4x64xf32>
}

func.func @three(%q: tensor<1x1x3x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x3x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x3x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x3x64xf32>
  return %o : tensor<1x1x3x64xf32>
}

func.func @nine(%q: tensor<1x1x9x64xf32>, %k: tensor<1x1x300x64xf32>, %v: tensor<1x1x300x64xf32>) -> tensor<1x1x9x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x9x64xf32>, tensor<1x1x300x64xf32>, tensor<1x1x300x64xf32>) -> tensor<1x1x9x64xf32>
  return %o : tensor<1x1x9x64xf32>
}
