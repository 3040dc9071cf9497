// A block of a persistent kernel of attention begins with the tile of its number, and takes each next one where it is
// free; the recheck kernel, which looks at the flags of all tiles, takes none.
// RUN: xfc %s --entry=attend --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s
// RUN: xfc %s --vjp=attend --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=VJP

// CHECK: .global .align 4 .u32 xf_tiles_taken;
// CHECK-LABEL: .entry attend_attend_causal_prefix(
// The producer: first a tile for the others, then the next one, which comes while keys are copied.
// CHECK: mov.u32 {{.*}}, %ctaid.x;
// CHECK: st.shared.b32
// CHECK: mbarrier.arrive.shared
// CHECK: atom.global.inc.u32 [[TAKEN:%r[0-9]+]], [xf_tiles_taken]
// CHECK: cp.async.bulk.tensor
// Consumers read it, and release its place.
// CHECK: wgmma.mma_async
// CHECK-NOT: atom.global
// CHECK-LABEL: .entry attend_attend_causal_prefix_2(
// CHECK-NOT: atom.global

// VJP-LABEL: .entry attend_vjp_attend_causal_prefix(
// VJP: atom.global.inc.u32
// VJP-NOT: atom.global
// VJP-LABEL: .entry attend_vjp_attend_causal_prefix_3(
// VJP: atom.global.inc.u32
// VJP-NOT: atom.global
func.func @attend(%q: tensor<1x2x300x64xbf16>, %k: tensor<1x2x300x64xbf16>, %v: tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16>
  return %o : tensor<1x2x300x64xbf16>
}
