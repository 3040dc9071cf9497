// A NaN whose lowest bits alone are set is cut to the bits of an infinity by TF32: factors that are split keep it a NaN.
// RUN: %sm_80 %s --f32-products=bf16x3
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --f32-products=bf16x3 --emit=ptx | FileCheck %s
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32

// All rows see it.
func.func @value(%q: tensor<1x1x70x16xf32>, %k: tensor<1x1x70x16xf32>, %v: tensor<1x1x69x16xf32>) -> tensor<1x1x70x16xf32> {
  %nan = arith.constant dense<0x7F800001> : tensor<1x1x1x16xf32>
  %y = xf.concat %v, %nan axis 2 : (tensor<1x1x69x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x70x16xf32>
  %o = xf.attention %q, %k, %y pattern(#xf.kernelized<feature = elu>) : (tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x1x70x16xf32>
  return %o : tensor<1x1x70x16xf32>
}
