// Kernels of few rows keep everything in registers: one query of heads that share keys, and 3 of them, two tiles of rows.
// REQUIRES: ptxas
// RUN: sed 's/DEPTH/64/g; s/TYPE/bf16/g' %s > %t.64.mlir
// RUN: sed 's/DEPTH/128/g; s/TYPE/bf16/g' %s > %t.128.mlir
// RUN: sed 's/DEPTH/128/g; s/TYPE/f32/g' %s > %t.f32.mlir
// RUN: %prove %t.64.mlir --arch=sm_90a --no-spills | FileCheck %s
// RUN: %prove %t.128.mlir --arch=sm_90a --no-spills | FileCheck %s
// RUN: %prove %t.128.mlir --arch=sm_80 --no-spills | FileCheck %s
// RUN: %prove %t.f32.mlir --arch=sm_90a --no-spills | FileCheck %s
// CHECK-DAG: attend_decode_dense_dense_full:
// CHECK-DAG: attend_decode_causal_causal_prefix:
// CHECK-DAG: merge_slices_dense{{(_2)?}}:

!k = tensor<1x4x8192xDEPTHxTYPE>
func.func @dense(%q: tensor<1x32x1xDEPTHxTYPE>, %k: !k, %v: !k) -> tensor<1x32x1xDEPTHxTYPE> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x32x1xDEPTHxTYPE>, !k, !k) -> tensor<1x32x1xDEPTHxTYPE>
  return %o : tensor<1x32x1xDEPTHxTYPE>
}
func.func @causal(%q: tensor<1x32x3xDEPTHxTYPE>, %k: !k, %v: !k) -> tensor<1x32x3xDEPTHxTYPE> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x32x3xDEPTHxTYPE>, !k, !k) -> tensor<1x32x3xDEPTHxTYPE>
  return %o : tensor<1x32x3xDEPTHxTYPE>
}
