// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=linear | FileCheck %s
// CHECK: .visible .entry matmul_bias_linear(
// CHECK: .maxntid 128
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
func.func @linear(%x: tensor<70x50xf16>, %w: tensor<90x50xf16>, %b: tensor<90xf16>) -> tensor<70x90xf16> {
  %y = xf.linear %x, %w bias(%b : tensor<90xf16>) : (tensor<70x50xf16>, tensor<90x50xf16>) -> tensor<70x90xf16>
  return %y : tensor<70x90xf16>
}

// Terms of two runs behind it arrive while one is multiplied, behind one barrier for each.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=aligned | FileCheck %s --check-prefix=STAGES
// STAGES-COUNT-2: cp.async.commit_group
// STAGES: cp.async.wait_group 1;
// STAGES-NOT: ldmatrix
// STAGES: bar.sync
// STAGES: cp.async.cg.shared.global
func.func @aligned(%x: tensor<130x200xbf16>, %w: tensor<72x200xbf16>) -> tensor<130x72xbf16> {
  %y = xf.matmul %x, %w transposed : (tensor<130x200xbf16>, tensor<72x200xbf16>) -> tensor<130x72xbf16>
  return %y : tensor<130x72xbf16>
}
