// A warp copies boxes of both operands by tensor copies; groups of warps multiply what lies in shared memory, and start the
// products of a stage before they wait for those of the one before.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s
// CHECK: .visible .entry matmul_bias_linear(
// CHECK: .param .align 64 .b8 matmul_bias_linear_param_{{.*}}[128]
// CHECK: .param .align 64 .b8 matmul_bias_linear_param_{{.*}}[128]
// CHECK: .maxntid 384
// CHECK: mbarrier.init.shared.b64
// CHECK: fence.mbarrier_init
// CHECK: setmaxnreg.dec.sync.aligned.u32 40
// CHECK: elect.sync
// CHECK: mbarrier.arrive.expect_tx
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: setmaxnreg.inc.sync.aligned.u32 232
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.fence.sync.aligned
// Both have their terms as columns: neither is transposed.
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, da, db, 1, 1, 1, 0, 0;
// CHECK: wgmma.wait_group.sync.aligned 1
// CHECK: wgmma.wait_group.sync.aligned 0
// Sums of 64 columns pass through shared memory, and rows are written 8 bytes at a time.
// CHECK: st.shared.v2.b32
// CHECK: ld.shared.v4.b32
// CHECK: st.global.v{{2.b32|4.b16}}
func.func @linear(%x: tensor<170x200xf16>, %w: tensor<96x200xf16>, %b: tensor<96xf16>) -> tensor<170x96xf16> {
  %y = xf.linear %x, %w bias(%b : tensor<96xf16>) : (tensor<170x200xf16>, tensor<96x200xf16>) -> tensor<170x96xf16>
  return %y : tensor<170x96xf16>
}
