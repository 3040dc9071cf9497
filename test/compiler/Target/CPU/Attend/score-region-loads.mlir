// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s

// A bias by distance: a run of elements, reversed; a gather where part of the run lies outside the table.
// CHECK-LABEL: llvm.func {{.*}}@attend
// CHECK: llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.shufflevector {{.*}} [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK: llvm.intr.masked.gather
func.func @by_distance(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x8xf32>, %table: tensor<2x?xf32>) -> tensor<1x2x?x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x?xf32>) {
    %distance = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %distance] : tensor<2x?xf32>
    %r = arith.addf %s, %bias : f32
    xf.yield %r : f32
  } : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}
