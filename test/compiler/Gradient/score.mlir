// RUN: xf-opt %s -split-input-file -xf-gradient=entry=f -canonicalize -cse | FileCheck %s

// The derivative by s is that of the soft cap; what the table's element gets is the same, at the element's indices.
// CHECK-LABEL: func.func @f_vjp
// CHECK: xf.attention_vjp
// CHECK: derivative reads [0] {
// CHECK: ^bb0(%[[S:.*]]: f32, %{{.*}}: index, %[[H:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index, %[[TABLE:.*]]: tensor<2x8xf32>):
// CHECK: %[[D:.*]] = arith.subi %[[I]], %[[J]]
// CHECK: %[[BIAS:.*]] = tensor.extract %[[TABLE]][%[[H]], %[[D]]]
// CHECK: %[[T:.*]] = math.tanh
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[T]], %[[T]]
// CHECK: %[[SLOPE:.*]] = arith.subf %{{.*}}, %[[SQUARE]]
// CHECK: xf.yield %[[T]], %[[SLOPE]], %[[H]], %[[D]], %[[SLOPE]] : f32, f32, index, index, f32
func.func @f(%x: tensor<1x2x8x4xf32>, %table: tensor<2x8xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x8xf32>) {
    %d = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %d] : tensor<2x8xf32>
    %y = arith.addf %s, %bias : f32
    %z = math.tanh %y : f32
    xf.yield %z : f32
  } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// -----

// A score that does not depend on s has slope 0; a derivative is not rounded to the type of a narrow capture; integer
// captures have none.
// CHECK-LABEL: func.func @f_vjp
// CHECK: derivative reads [1] {
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[J:.*]]: index, %{{.*}}: tensor<8xi32>, %{{.*}}: tensor<8xbf16>):
// CHECK-NOT: truncf
// CHECK: %[[Y:.*]] = math.exp
// CHECK: xf.yield %[[Y]], %{{.*}}, %{{.*}}, %[[Y]] : f32, f32, index, f32
func.func @f(%x: tensor<1x2x8x4xf32>, %buckets: tensor<8xi32>, %table: tensor<8xbf16>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%u = %buckets : tensor<8xi32>, %t = %table : tensor<8xbf16>) {
    %bucket = tensor.extract %u[%j] : tensor<8xi32>
    %at = arith.index_cast %bucket : i32 to index
    %bias = tensor.extract %t[%at] : tensor<8xbf16>
    %wide = arith.extf %bias : bf16 to f32
    %y = math.exp %wide : f32
    xf.yield %y : f32
  } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// -----

// A gradient that a program writes itself has none yet.
// CHECK-LABEL: func.func @written
// CHECK: xf.attention_vjp
// CHECK: derivative reads [0] {
// CHECK: ^bb0(%[[S:.*]]: f32, %{{.*}}: index, %[[H:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[TABLE:.*]]: tensor<2xf32>):
// CHECK: %[[FACTOR:.*]] = tensor.extract %[[TABLE]][%[[H]]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[S]], %[[FACTOR]]
// CHECK: xf.yield %[[PRODUCT]], %[[FACTOR]], %[[H]], %[[S]] : f32, f32, index, f32
func.func @written(%x: tensor<1x2x8x4xf32>, %lse: tensor<1x2x8xf32>, %table: tensor<2xf32>) -> tensor<2xf32> {
  %dq, %dk, %dv, %dt = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2xf32>) {
    %factor = tensor.extract %t[%h] : tensor<2xf32>
    %y = arith.mulf %s, %factor : f32
    xf.yield %y : f32
  } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8xf32>, tensor<1x2x8x4xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) captures(tensor<2xf32>)
  return %dt : tensor<2xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
