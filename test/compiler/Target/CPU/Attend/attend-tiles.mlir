// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s

// A predicate that only tiles decide: divisions of non-negative keys are unsigned, on registers of 32-bit integers; the
// masks are stored as integers.
// CHECK-LABEL: llvm.func {{.*}}@attend
// CHECK: llvm.udiv {{.*}} : vector<8xi32>
// CHECK: llvm.sext {{.*}} : vector<8xi1> to vector<8xi32>
func.func @tiles(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : ((i floordiv 6 - j floordiv 6) mod 7 == 0, (i - 2 * j) mod 5 ge 1)>)
    : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}
