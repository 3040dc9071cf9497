// The stage `tile` asks the target for every tile: here one that is in no folder of the compiler.
// RUN: xf-null-opt %s -xf-gradient=entry=attend -xf-solve-patterns -xf-tile-program | FileCheck %s

// CHECK-LABEL: func.func @attend(
// CHECK-NOT: gather_panels
// CHECK: xft.launch @attend_{{[0-9a-f]+}} tiles(%c4)
func.func @attend(%q: tensor<1x1x128x16xf32>, %k: tensor<1x1x128x16xf32>, %v: tensor<1x1x128x16xf32>) -> tensor<1x1x128x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x1x128x16xf32>
  return %o : tensor<1x1x128x16xf32>
}
// CHECK-LABEL: func.func @multiply(
// CHECK: xft.launch @contract_
func.func @multiply(%x: tensor<100x64xf32>, %w: tensor<50x64xf32>) -> tensor<100x50xf32> {
  %y = xf.linear %x, %w : (tensor<100x64xf32>, tensor<50x64xf32>) -> tensor<100x50xf32>
  return %y : tensor<100x50xf32>
}
// CHECK-LABEL: func.func @normalise(
// CHECK: xft.launch @softmax_{{[0-9a-f]+}} tiles(%c13)
func.func @normalise(%x: tensor<300x64xf32>) -> tensor<300x64xf32> {
  %y = xf.softmax %x : tensor<300x64xf32>
  return %y : tensor<300x64xf32>
}
// CHECK-DAG: func.func private @attend_{{.*}}null.described
// CHECK-DAG: xft.attend {{.*}}tile = #xft.attend_tile<rows = 5, registers = 1, lanes = 7, queries = 35, keys = 70>
// CHECK-DAG: xft.attend_vjp {{.*}}tile = #xft.attend_tile<rows = 5, registers = 1, lanes = 7, queries = 35, keys = 70>
// CHECK-DAG: xft.contract {{.*}}rows 3 columns 10 block 33
