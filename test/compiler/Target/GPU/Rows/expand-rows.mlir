// A block runs a tile: accesses of 16 bytes, reductions as a tree over lanes and then in order over warps.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=HOPPER
// RUN: %if ptxas %{ xfc %s --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx && %ptxas -arch=sm_90a %t.ptx -o %t.cubin %}
// HOPPER: .target sm_90a
// CHECK: .target sm_80
// CHECK: .visible .entry softmax_
// CHECK: .maxntid 256
// CHECK-DAG: mov.u32 %{{.*}}, %ctaid.x
// CHECK-DAG: mov.u32 %{{.*}}, %tid.x
// CHECK: ld.global.v4.b32
// CHECK: max.NaN.f32
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: bar{{.*}}.sync
// CHECK: ld.shared
// CHECK: ex2.approx.ftz.f32
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: cvt.rn.bf16x2.f32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{[{]call|call[.]}}
func.func @softmax(%x: tensor<8x300xbf16>) -> tensor<8x300xbf16> {
  %y = xf.softmax %x : tensor<8x300xbf16>
  return %y : tensor<8x300xbf16>
}

// A lane keeps the sums of its columns in registers: nothing is stored before the warps meet in shared memory.
// CHECK: .visible .entry reduce_rows_column_sums(
// CHECK-COUNT-4: ld.global.v4.b32
// CHECK-NOT: st.global
// CHECK: st.shared.v4
// CHECK: bar{{.*}}.sync
// CHECK: ld.shared
// CHECK: st.global
func.func @column_sums(%x: tensor<512x256xf32>) -> tensor<256xf32> {
  %y = xf.reduce sum %x axes [0] : tensor<512x256xf32> -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// A warp adds what belongs to its rows of the table, in order.
// CHECK: .visible .entry embedding_vjp_embedding(
// CHECK: vote.sync.ballot.b32
// CHECK-NOT: atom
func.func @embedding(%ids: tensor<64xi64>, %dy: tensor<64x256xf32>) -> tensor<100x256xf32> {
  %t = xf.embedding_vjp %ids, %dy : (tensor<64xi64>, tensor<64x256xf32>) -> tensor<100x256xf32>
  return %t : tensor<100x256xf32>
}
