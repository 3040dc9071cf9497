// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s
// CHECK: .visible .entry contract_
// CHECK: .maxntid 128
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
func.func @linear(%x: tensor<70x50xf16>, %w: tensor<90x50xf16>, %b: tensor<90xf16>) -> tensor<70x90xf16> {
  %y = xf.linear %x, %w bias(%b : tensor<90xf16>) : (tensor<70x50xf16>, tensor<90x50xf16>) -> tensor<70x90xf16>
  return %y : tensor<70x90xf16>
}
