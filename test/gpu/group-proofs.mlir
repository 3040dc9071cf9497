// What ptxas makes of attention by warpgroups: nothing is spilled or serialised, products of a chain follow each other, and
// exponentials of a block run while the products of the one before do. Other depths, too, have the registers and the shared
// memory that their tiles were chosen by.
// REQUIRES: ptxas
// RUN: sed 's/\$P/dense/; s/\$D/64/g; s/\$T/bf16/g' %s > %t.64.dense.mlir
// RUN: sed 's/\$P/causal/; s/\$D/64/g; s/\$T/bf16/g' %s > %t.64.causal.mlir
// RUN: sed 's/\$P/dense/; s/\$D/128/g; s/\$T/f16/g' %s > %t.128.dense.mlir
// RUN: sed 's/\$P/causal/; s/\$D/128/g; s/\$T/bf16/g' %s > %t.128.causal.mlir
// DEFINE: %{promises} = --arch=sm_90a --no-spills --as-expected --no-notes --back-to-back=8
// RUN: %prove %t.64.dense.mlir %t.64.causal.mlir %t.128.dense.mlir %t.128.causal.mlir %{promises} --ex2-between-waits=66
// RUN: sed 's/\$P/window<left = 300>/; s/\$D/64/g; s/\$T/bf16/g' %s > %t.64.window.mlir
// RUN: sed 's/\$P/window<left = 300>/; s/\$D/128/g; s/\$T/bf16/g' %s > %t.128.window.mlir
// RUN: %prove %t.64.window.mlir %t.128.window.mlir %{promises} --ex2-between-waits=66
// RUN: sed 's/x1000x/x4096x/g' %t.64.dense.mlir > %t.three.dense.mlir
// RUN: sed 's/x1000x/x4096x/g' %t.64.causal.mlir > %t.three.causal.mlir
// RUN: %prove %t.three.dense.mlir %t.three.causal.mlir %{promises} --ex2-between-waits=58
// RUN: sed 's/\$P/dense/; s/\$D/96/g; s/\$T/bf16/g' %s > %t.96.mlir
// RUN: sed 's/\$P/causal/; s/\$D/256/g; s/\$T/bf16/g' %s > %t.256.mlir
// RUN: %prove %t.96.mlir --arch=sm_90a --no-spills --no-notes --as-expected --xfc-option=--vjp=attend | FileCheck %s
// RUN: %prove %t.256.mlir --arch=sm_90a --no-spills --no-notes --as-expected | FileCheck %s
// CHECK: tile: [[BYTES:[0-9]+]] bytes of shared memory, [[BYTES]] expected
func.func @attend(%q: tensor<2x4x1000x$Dx$T>, %k: tensor<2x2x1000x$Dx$T>, %v: tensor<2x2x1000x$Dx$T>) -> tensor<2x4x1000x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.$P) : (tensor<2x4x1000x$Dx$T>, tensor<2x2x1000x$Dx$T>, tensor<2x2x1000x$Dx$T>) -> tensor<2x4x1000x$Dx$T>
  return %o : tensor<2x4x1000x$Dx$T>
}
