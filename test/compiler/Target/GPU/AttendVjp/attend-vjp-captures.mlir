// Elements of captured tensors are added by lanes in turns, those of different elements at once, and never atomically.
// RUN: xfc %s --vjp=attend --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s
// CHECK-NOT: atom
// CHECK-NOT: {{[^a-z]}}red.global
// CHECK: match.any.sync.b64
func.func @attend(%q: tensor<1x2x33x16xf32>, %k: tensor<1x2x33x16xf32>, %v: tensor<1x2x33x16xf32>, %t: tensor<5xf32>) -> tensor<1x2x33x16xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<5xf32>) {
    %five = arith.constant 5 : index
    %n = arith.remui %j, %five : index
    %x = tensor.extract %c[%n] : tensor<5xf32>
    %z = arith.addf %s, %x : f32
    xf.yield %z : f32
  } : (tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) -> tensor<1x2x33x16xf32>
  return %o : tensor<1x2x33x16xf32>
}
