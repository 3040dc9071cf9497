// A warp copies by tensor copies, three groups of warps multiply and hand the turn to each other.
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=COPY --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=COMPUTE --input-file=%t.ptx
// COPY: .visible .entry attend_
// COPY: .param .align 64 .b8 attend_{{.*}}[128]
// COPY: .maxntid 512
// COPY: mbarrier.init.shared.b64
// COPY: fence.mbarrier_init
// COPY: setmaxnreg.dec.sync.aligned.u32 40
// COPY: elect.sync
// COPY: mbarrier.arrive.expect_tx
// COPY: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// The careful kernel reads flags, and changes values in shared memory before they are multiplied.
// COPY: .visible .entry attend_
// COPY: setmaxnreg

// The first block: S, then P.
// COMPUTE: setmaxnreg.inc.sync.aligned.u32 152
// COMPUTE: fence.proxy.async.shared::cta
// COMPUTE: wgmma.mma_async.sync.aligned.m64n112k16.f32.bf16.bf16
// COMPUTE: wgmma.wait_group.sync.aligned 0
// COMPUTE: ex2.approx.ftz.f32
// The loop: S of a block and o of the one before are started, exponentials stand between the waits for them, and a loop
// that waits keeps ptxas from moving the second one up.
// COMPUTE: wgmma.mma_async.sync.aligned.m64n112k16.f32.bf16.bf16
// COMPUTE: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// COMPUTE: wgmma.wait_group.sync.aligned 1
// COMPUTE: max.f32
// COMPUTE: ex2.approx.ftz.f32
// COMPUTE: mbarrier.try_wait.parity
// COMPUTE: wgmma.wait_group.sync.aligned 0
func.func @attend(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x1x300x64xbf16>, %v: tensor<1x1x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x1x300x64xbf16>, tensor<1x1x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  return %o : tensor<1x2x300x64xbf16>
}
