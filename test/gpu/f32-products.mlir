// How matrices of f32 are multiplied on request. Bounds: TF32 twice those of f16, which has as many digits; pairs of bf16 32
// times those of f32.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --entry=special --f32-products=tf32 --emit=ptx | FileCheck %s --check-prefix=TF32
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --entry=special --f32-products=bf16x3 --emit=ptx | FileCheck %s --check-prefix=SPLIT
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --entry=special --emit=ptx | FileCheck %s --check-prefix=EXACT
// RUN: %sm_80 %sweep/products.mlir --f32-products=tf32 --vjp M=67 K=40 N=33 T=f32
// RUN: %sm_80 %sweep/products.mlir --f32-products=bf16x3 --vjp M=67 K=40 N=33 T=f32 --seed=2
// RUN: %sm_80 %sweep/attention.mlir --f32-products=tf32 --vjp --only='(dense|strided|before_blocks)_' N=67 D=33 T=f32 --seed=3
// RUN: %sm_90a %sweep/attention.mlir --f32-products=bf16x3 --vjp --only='(dense|strided|before_blocks)_' N=67 D=33 T=f32 --seed=4
// RUN: %sm_80 %sweep/hidden.mlir --f32-products=tf32 --vjp --only=softmax T=f32 A=f32
// RUN: %sm_80 %sweep/hidden.mlir --f32-products=bf16x3 --vjp --only=softmax T=f32 A=f32
// RUN: %sm_80 %s --f32-products=tf32
// RUN: %sm_80 %s --f32-products=bf16x3
// RUN: %if ptxas %{ %prove %s --arch=sm_80 --no-spills --xfc-option=--f32-products=bf16x3 %}

// TF32: cvt.rna.tf32.f32
// TF32: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// SPLIT: cvt.rn.bf16x2.f32
// SPLIT-COUNT-3: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// EXACT-NOT: mma.sync
// EXACT: fma.rn.f32

// Infinities and NaN of either factor, and what they meet, zeros among it.
func.func @special(%x: tensor<70x2xf32>) -> (tensor<70x4xf32>, tensor<4x70xf32>) {
  %c = arith.constant dense<[[0x7F800000, 0xFF800000, 1.0, 0.0], [0x7F800000, 2.0, 0x7FC00000, 1.0]]> : tensor<2x4xf32>
  %y = xf.matmul %x, %c : (tensor<70x2xf32>, tensor<2x4xf32>) -> tensor<70x4xf32>
  %z = xf.matmul %c transposed, %x transposed : (tensor<2x4xf32>, tensor<70x2xf32>) -> tensor<4x70xf32>
  return %y, %z : tensor<70x4xf32>, tensor<4x70xf32>
}

// Numbers that are rounded to infinity: what they give is as large, or infinite, and nothing where they are not seen.
func.func @largest(%x: tensor<70x2xf32>) -> (tensor<70x4xi1>, tensor<4x70xi1>) {
  %c = arith.constant dense<[[3.402e38, -3.402e38, 1.0, 0.0], [3.402e38, -3.402e38, 1.0, 1.0]]> : tensor<2x4xf32>
  %two = arith.constant dense<2.0> : tensor<1x1xf32>
  %large = arith.constant dense<1.0e38> : tensor<1x1xf32>
  %s = xf.square %x : tensor<70x2xf32>
  %t = xf.add %s, %two : (tensor<70x2xf32>, tensor<1x1xf32>) -> tensor<70x2xf32>
  %y = xf.matmul %t, %c : (tensor<70x2xf32>, tensor<2x4xf32>) -> tensor<70x4xf32>
  %z = xf.matmul %c transposed, %t transposed : (tensor<2x4xf32>, tensor<70x2xf32>) -> tensor<4x70xf32>
  %isLargeY = xf.compare ge %y, %large : (tensor<70x4xf32>, tensor<1x1xf32>) -> tensor<70x4xi1>
  %isLargeZ = xf.compare ge %z, %large : (tensor<4x70xf32>, tensor<1x1xf32>) -> tensor<4x70xi1>
  return %isLargeY, %isLargeZ : tensor<70x4xi1>, tensor<4x70xi1>
}
func.func @largest_value(%q: tensor<1x1x64x5xf32>, %k: tensor<1x1x64x5xf32>, %v: tensor<1x1x63x5xf32>) -> tensor<1x1x63x5xf32> {
  %largest = arith.constant dense<-3.402e38> : tensor<1x1x1x5xf32>
  %y = xf.concat %v, %largest axis 2 : (tensor<1x1x63x5xf32>, tensor<1x1x1x5xf32>) -> tensor<1x1x64x5xf32>
  %o = xf.attention %q, %k, %y pattern(#xf.causal) : (tensor<1x1x64x5xf32>, tensor<1x1x64x5xf32>, tensor<1x1x64x5xf32>) -> tensor<1x1x64x5xf32>
  %r = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x64x5xf32> to tensor<1x1x63x5xf32>
  return %r : tensor<1x1x63x5xf32>
}
