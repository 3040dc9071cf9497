// 16-bit floats are multiplied by tensor cores, others by fused multiply-adds; both ask one kernel.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=half | FileCheck %s --check-prefixes=CHECK,TENSOR
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=single | FileCheck %s --check-prefixes=CHECK,SCALAR
// CHECK: .visible .entry attend_
// CHECK: .maxntid 128
// SCALAR-NOT: mma.sync
// CHECK: bar.red.or.pred
// TENSOR: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// SCALAR: fma.rn.f32
// CHECK: ex2.approx.ftz.f32
func.func @half(%q: tensor<1x2x100x64xbf16>, %k: tensor<1x1x100x64xbf16>, %v: tensor<1x1x100x64xbf16>) -> tensor<1x2x100x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<1x2x100x64xbf16>, tensor<1x1x100x64xbf16>, tensor<1x1x100x64xbf16>) -> tensor<1x2x100x64xbf16>
  return %o : tensor<1x2x100x64xbf16>
}
func.func @single(%q: tensor<1x2x100x64xf32>, %k: tensor<1x1x100x64xf32>, %v: tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 9>) : (tensor<1x2x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}
