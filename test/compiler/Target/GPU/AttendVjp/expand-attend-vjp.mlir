// Two kernels, of rows and of keys: what one writes no other does, so nothing is added atomically.
// RUN: xfc %s --vjp=attend --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s
// CHECK-NOT: atom
// CHECK-NOT: {{[^a-z]}}red.global
// CHECK: .visible .entry attend_vjp_
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: .visible .entry attend_vjp_
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
func.func @attend(%q: tensor<1x2x100x64xbf16>, %k: tensor<1x1x100x64xbf16>, %v: tensor<1x1x100x64xbf16>) -> tensor<1x2x100x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<1x2x100x64xbf16>, tensor<1x1x100x64xbf16>, tensor<1x1x100x64xbf16>) -> tensor<1x2x100x64xbf16>
  return %o : tensor<1x2x100x64xbf16>
}
