// Kernels assemble, for each architecture, and keep everything in registers at the usual depths.
// REQUIRES: ptxas
// RUN: sed 's/DEPTH/64/g' %s > %t.64.mlir
// RUN: sed 's/DEPTH/128/g' %s > %t.128.mlir
// RUN: xfc %t.64.mlir --target=cuda --gpu-arch=sm_80 --emit=ptx -o %t.ptx && %ptxas -v -arch=sm_80 %t.ptx -o %t.cubin 2>&1 | FileCheck %s
// RUN: xfc %t.128.mlir --target=cuda --gpu-arch=sm_80 --emit=ptx -o %t.ptx && %ptxas -v -arch=sm_80 %t.ptx -o %t.cubin 2>&1 | FileCheck %s
// RUN: xfc %t.64.mlir --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx && %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s
// RUN: xfc %t.128.mlir --target=cuda --gpu-arch=sm_90a --emit=ptx -o %t.ptx && %ptxas -v -arch=sm_90a %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill

func.func @causal(%q: tensor<1x4x100xDEPTHxbf16>, %k: tensor<1x2x100xDEPTHxbf16>, %v: tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16>
  return %o : tensor<1x4x100xDEPTHxbf16>
}
func.func @causal_f32(%q: tensor<1x4x100xDEPTHxf32>, %k: tensor<1x2x100xDEPTHxf32>, %v: tensor<1x2x100xDEPTHxf32>) -> tensor<1x4x100xDEPTHxf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x100xDEPTHxf32>, tensor<1x2x100xDEPTHxf32>, tensor<1x2x100xDEPTHxf32>) -> tensor<1x4x100xDEPTHxf32>
  return %o : tensor<1x4x100xDEPTHxf32>
}
func.func @strided(%q: tensor<1x4x100xDEPTHxbf16>, %k: tensor<1x2x100xDEPTHxbf16>, %v: tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8>) : (tensor<1x4x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16>
  return %o : tensor<1x4x100xDEPTHxbf16>
}
func.func @window_lengths(%q: tensor<2x4x100xDEPTHxbf16>, %k: tensor<2x2x100xDEPTHxbf16>, %v: tensor<2x2x100xDEPTHxbf16>, %n: tensor<2xi64>) -> tensor<2x4x100xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 16>) lengths(%n : tensor<2xi64>) : (tensor<2x4x100xDEPTHxbf16>, tensor<2x2x100xDEPTHxbf16>, tensor<2x2x100xDEPTHxbf16>) -> tensor<2x4x100xDEPTHxbf16>
  return %o : tensor<2x4x100xDEPTHxbf16>
}
func.func @linear(%x: tensor<100xDEPTHxbf16>, %w: tensor<DEPTHxDEPTHxbf16>) -> tensor<100xDEPTHxbf16> {
  %y = xf.matmul %x, %w transposed : (tensor<100xDEPTHxbf16>, tensor<DEPTHxDEPTHxbf16>) -> tensor<100xDEPTHxbf16>
  return %y : tensor<100xDEPTHxbf16>
}
func.func @softmax(%x: tensor<100xDEPTHxf32>) -> tensor<100xDEPTHxf32> {
  %y = xf.softmax %x : tensor<100xDEPTHxf32>
  return %y : tensor<100xDEPTHxf32>
}
func.func @favor_causal(%q: tensor<1x4x100xDEPTHxbf16>, %k: tensor<1x2x100xDEPTHxbf16>, %v: tensor<1x2x100xDEPTHxbf16>, %w: tensor<256xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<256xDEPTHxbf16>) : (tensor<1x4x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16>
  return %o : tensor<1x4x100xDEPTHxbf16>
}
func.func @elu(%q: tensor<1x4x100xDEPTHxbf16>, %k: tensor<1x2x100xDEPTHxbf16>, %v: tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu>) : (tensor<1x4x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>, tensor<1x2x100xDEPTHxbf16>) -> tensor<1x4x100xDEPTHxbf16>
  return %o : tensor<1x4x100xDEPTHxbf16>
}
