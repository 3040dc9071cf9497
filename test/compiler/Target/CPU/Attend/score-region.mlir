// RUN: xfc %s --stop-after=target --mcpu=x86-64-v3 -o - | FileCheck %s

// Slopes of heads: one scalar load; distances are 32-bit integers for small indices, 64-bit ones in general.
// CHECK-LABEL: llvm.func {{.*}}@attend
// CHECK-NOT: masked.gather
// CHECK: llvm.sitofp {{.*}} : vector<8xi32> to vector<8xf32>
// CHECK: llvm.sitofp {{.*}} : vector<8xi64> to vector<8xf32>
// CHECK-NOT: masked.gather
// CHECK: llvm.return
func.func @alibi(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>, %v: tensor<1x2x?x8xf32>, %slopes: tensor<2xf32>) -> tensor<1x2x?x8xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%m = %slopes : tensor<2xf32>) {
    %slope = tensor.extract %m[%h] : tensor<2xf32>
    %distance = arith.subi %i, %j : index
    %integer = arith.index_cast %distance : index to i64
    %real = arith.sitofp %integer : i64 to f32
    %bias = arith.mulf %slope, %real : f32
    %r = arith.subf %s, %bias : f32
    xf.yield %r : f32
  } : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}
