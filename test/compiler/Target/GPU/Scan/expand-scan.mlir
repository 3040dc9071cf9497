// A block of 8 warps runs a head, its chunks between barriers; nothing lies in local memory.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=both | FileCheck %s --check-prefixes=CHECK,SUM
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx --entry=ordered | FileCheck %s --check-prefixes=CHECK,ORDERED
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx --entry=ordered --vjp=ordered | FileCheck %s --check-prefixes=GRADIENT
// CHECK: .visible .entry scan_
// CHECK: .maxntid 256
// CHECK-NOT: .local
// CHECK: ld.shared
// CHECK: bar.sync
// SUM-NOT: mul.f64
// Stabilisers: the largest exponent of lanes.
// ORDERED: shfl.sync.bfly
// CHECK: fma.rn.f32
// CHECK: st.global
// GRADIENT: .visible .entry scan_vjp_
// GRADIENT-NOT: .local
// GRADIENT: bar.sync
// GRADIENT: fma.rn.f32
func.func @both(%x: tensor<1x2x100x64xf32>, %k: tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32> {
  %o = xf.attention %x, %k, %k pattern(#xf.kernelized<feature = elu>) : (tensor<1x2x100x64xf32>, tensor<1x1x100x64xf32>, tensor<1x1x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}
func.func @ordered(%x: tensor<1x2x100x64xf32>, %w: tensor<32x64xf32>) -> tensor<1x2x100x64xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, stabilizer = sequence, of = #xf.causal>) params(%w : tensor<32x64xf32>) : (tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>, tensor<1x2x100x64xf32>) -> tensor<1x2x100x64xf32>
  return %o : tensor<1x2x100x64xf32>
}
