// A warp runs a tile: columns by lane, reductions as a tree over lanes, elements written once.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// RUN: %if ptxas %{ xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx && %ptxas -arch=sm_90a %t.ptx -o %t.cubin %}
// HOPPER: .target sm_90a
// CHECK: .target sm_80
// CHECK: .visible .entry softmax_
// CHECK: .maxntid 32
// CHECK-DAG: mov.u32 %{{.*}}, %ctaid.x
// CHECK-DAG: mov.u32 %{{.*}}, %tid.x
// CHECK: ld.global
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: bar.warp.sync
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: st.global
// CHECK-NOT: {{[{]call|call[.]}}
func.func @softmax(%x: tensor<8x300xbf16>) -> tensor<8x300xbf16> {
  %y = xf.softmax %x : tensor<8x300xbf16>
  return %y : tensor<8x300xbf16>
}
