// Gradients by warpgroups: P and dS are left operands in registers, and nobody adds to what others write:
// the one atomic operation takes tiles.
// RUN: xfc %s --vjp=attend --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=ROWS --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=KEYS --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=ALONE --input-file=%t.ptx
// ALONE-NOT: {{[^a-z](atom.global.([^i]|i[^n])|red.global)}}

// The loop: S and dP are started, exponentials stand between the waits for them, and a loop that waits keeps ptxas from
// moving the second one up; then dQ += dS K.
// ROWS: wgmma.mma_async.sync.aligned.m64n96k16.f32.bf16.bf16
// ROWS: wgmma.mma_async.sync.aligned.m64n96k16.f32.bf16.bf16
// ROWS: wgmma.wait_group.sync.aligned 1
// ROWS: ex2.approx.ftz.f32
// ROWS: mbarrier.try_wait.parity
// ROWS: wgmma.wait_group.sync.aligned 0
// ROWS: cvt.rn.bf16x2.f32
// ROWS: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// ROWS: wgmma.wait_group.sync.aligned 0

// S^T and dP^T; dV += P^T dO while dP is waited for; dK += dS^T Q.
// KEYS: wgmma.mma_async.sync.aligned.m64n48k16.f32.bf16.bf16
// KEYS: wgmma.mma_async.sync.aligned.m64n48k16.f32.bf16.bf16
// KEYS: wgmma.wait_group.sync.aligned 1
// KEYS: ex2.approx.ftz.f32
// KEYS: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// KEYS: wgmma.wait_group.sync.aligned 1
// KEYS: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// KEYS: wgmma.wait_group.sync.aligned 1
// KEYS: wgmma.wait_group.sync.aligned 0
func.func @attend(%q: tensor<1x2x300x128xbf16>, %k: tensor<1x1x300x128xbf16>, %v: tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x128xbf16>, tensor<1x1x300x128xbf16>, tensor<1x1x300x128xbf16>) -> tensor<1x2x300x128xbf16>
  return %o : tensor<1x2x300x128xbf16>
}
