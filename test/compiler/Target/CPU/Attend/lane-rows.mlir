// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - 2>/dev/null | FileCheck %s

// Rows of neighbouring residues are transposed eight at a time. Each of them asks for itself one rank later. Elements of
// 16 bits move in pairs, which are words until they are keys: a square of words is sixteen columns.
// CHECK-LABEL: llvm.func {{.*}}@attend_residues
// CHECK-COUNT-8: llvm.intr.prefetch{{.*}}hint = 3
// CHECK-NOT: llvm.intr.prefetch
// CHECK-COUNT-16: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.shufflevector
// CHECK: llvm.bitcast %{{.*}} : vector<8xf32> to vector<8xi32>
// CHECK: llvm.lshr
// CHECK: llvm.trunc %{{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: llvm.trunc %{{.*}} : vector<8xi32> to vector<8xi16>

// The eight columns that two squares of words leave of forty are a square of elements.
// CHECK: llvm.load {{.*}} -> vector<8xi16>

// Rows of o are asked for to be written.
// CHECK: llvm.intr.prefetch{{.*}}rw = 1
func.func @column(%q: tensor<1x1x1024x40xbf16>, %k: tensor<1x1x1024x40xbf16>, %v: tensor<1x1x1024x40xbf16>) -> tensor<1x1x1024x40xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 32, part = column>)
    : (tensor<1x1x1024x40xbf16>, tensor<1x1x1024x40xbf16>, tensor<1x1x1024x40xbf16>) -> tensor<1x1x1024x40xbf16>
  return %o : tensor<1x1x1024x40xbf16>
}
