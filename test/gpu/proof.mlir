// Attention of bf16 and its gradient at the usual depths, with keys of each head and with shared ones: products run on tensor
// cores, and everything stays in registers.
// REQUIRES: ptxas
// RUN: sed 's/DEPTH/64/g' %s > %t.64.mlir
// RUN: sed 's/DEPTH/128/g' %s > %t.128.mlir
// DEFINE: %{promises} = --xfc-option=--vjp=dense --xfc-option=--vjp=causal --no-notes --products='attend(_vjp)?_(dense_dense_full|causal_causal_prefix)(_[0-9]+)?$:16'
// RUN: %prove %t.64.mlir --arch=sm_90a --no-spills --as-expected --ex2-between-waits=24 --back-to-back=8 %{promises} | FileCheck %s
// RUN: %prove %t.128.mlir --arch=sm_90a --no-spills --as-expected --ex2-between-waits=24 --back-to-back=8 %{promises} | FileCheck %s
// RUN: %prove %t.64.mlir --arch=sm_80 --no-spills %{promises} | FileCheck %s
// Beside 128 columns of both dK and dV, the number of a tile goes to memory while its blocks pass: three words.
// RUN: %prove %t.128.mlir --arch=sm_80 --no-spills --kernel='^(?!attend_vjp_dense_dense_full_2$)' %{promises} | FileCheck %s
// Without tensor cores a thread holds more of each operand, so fewer rows pass.
// RUN: sed 's/DEPTH/32/g; s/bf16/f32/g' %s > %t.f32.mlir
// RUN: %prove %t.f32.mlir --arch=sm_80 --no-spills --xfc-option=--vjp=dense --xfc-option=--vjp=causal | FileCheck %s

// CHECK-DAG: attend_causal_causal_prefix:
// CHECK-DAG: attend_vjp_causal_causal_prefix:
// CHECK-DAG: attend_delta_dense:

func.func @dense(%q: tensor<1x4x1024xDEPTHxbf16>, %k: tensor<1x4x1024xDEPTHxbf16>, %v: tensor<1x4x1024xDEPTHxbf16>) -> tensor<1x4x1024xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x4x1024xDEPTHxbf16>, tensor<1x4x1024xDEPTHxbf16>, tensor<1x4x1024xDEPTHxbf16>) -> tensor<1x4x1024xDEPTHxbf16>
  return %o : tensor<1x4x1024xDEPTHxbf16>
}
func.func @causal(%q: tensor<1x4x1000xDEPTHxbf16>, %k: tensor<1x2x1000xDEPTHxbf16>, %v: tensor<1x2x1000xDEPTHxbf16>) -> tensor<1x4x1000xDEPTHxbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x1000xDEPTHxbf16>, tensor<1x2x1000xDEPTHxbf16>, tensor<1x2x1000xDEPTHxbf16>) -> tensor<1x4x1000xDEPTHxbf16>
  return %o : tensor<1x4x1000xDEPTHxbf16>
}
