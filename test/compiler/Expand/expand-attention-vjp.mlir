// RUN: xf-opt %s -xf-expand-attention-vjp -split-input-file | FileCheck %s

// The gradient of an attention that this stage writes out is that of a function.
// CHECK-LABEL: func @low_rank
// CHECK-SAME: %[[X:.*]]: tensor<1x1x6x4xf64>, %[[E:.*]]: tensor<6x3xf64>, %[[LSE:.*]]: tensor<1x1x6xf64>
// CHECK: %[[D:.*]]:5 = xf.vjp @attention(%[[X]], %[[X]], %[[X]], %[[E]]) cotangents(%[[X]] : tensor<1x1x6x4xf64>) wrt [0, 1, 2, 3]
// CHECK: return %[[D]]#3, %[[D]]#4
func.func @low_rank(%x: tensor<1x1x6x4xf64>, %e: tensor<6x3xf64>, %lse: tensor<1x1x6xf64>) -> (tensor<1x1x6x4xf64>, tensor<6x3xf64>) {
  %dq, %dk, %dv, %de = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf64>) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6xf64>, tensor<1x1x6x4xf64>) -> (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) params(tensor<6x3xf64>)
  return %dv, %de : tensor<1x1x6x4xf64>, tensor<6x3xf64>
}
// CHECK: func.func private @attention(%[[Q:.*]]: tensor<1x1x6x4xf64>, %[[K:.*]]: tensor<1x1x6x4xf64>, %[[V:.*]]: tensor<1x1x6x4xf64>, %[[F:.*]]: tensor<6x3xf64>) -> tensor<1x1x6x4xf64>
// CHECK: %[[O:.*]] = xf.attention %[[Q]], %[[K]], %[[V]] pattern(#xf.low_rank<rank = 3>) params(%[[F]]
// CHECK: return %[[O]]

// -----

// With a gradient of lse; integers have none. The name is taken.
// CHECK-LABEL: func @attention
// CHECK: xf.vjp @attention_0({{.*}}) cotangents(%{{.*}}, %{{.*}} : tensor<1x1x6x4xf64>, tensor<1x1x6xf64>) wrt [0, 1, 2, 3]
// CHECK: func.func private @attention_0({{.*}}tensor<1xi64>) -> (tensor<1x1x6x4xf64>, tensor<1x1x6xf64>)
func.func @attention(%x: tensor<1x1x6x4xf64>, %e: tensor<6x3xf64>, %lse: tensor<1x1x6xf64>, %n: tensor<1xi64>) -> tensor<6x3xf64> {
  %dq, %dk, %dv, %de = xf.attention_vjp %x, %x, %x, %x, %lse, %x, %lse pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf64>) lengths(%n : tensor<1xi64>) : (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6xf64>) -> (tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>, tensor<1x1x6x4xf64>) params(tensor<6x3xf64>)
  return %de : tensor<6x3xf64>
}

// -----

// A region goes along, with what it captures.
// CHECK-LABEL: func @region
// CHECK: xf.vjp @attention({{.*}}) cotangents({{.*}}) wrt [0, 1, 2, 3]
// CHECK: feature(%[[ROW:.*]] : tensor<4xf32>) captures(%[[M:.*]] = %{{.*}} : tensor<5x4xf32>)
// CHECK-NEXT: %[[U:.*]] = xf.linear %[[ROW]], %[[M]]
// CHECK-NEXT: xf.yield %[[U]]
func.func @region(%x: tensor<1x1x6x4xf32>, %w: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %dq, %dk, %dv, %dw = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<4xf32>) captures(%m = %w : tensor<5x4xf32>) {
    %u = xf.linear %row, %m : (tensor<4xf32>, tensor<5x4xf32>) -> tensor<5xf32>
    xf.yield %u : tensor<5xf32>
  } : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) feature(tensor<5x4xf32>)
  return %dw : tensor<5x4xf32>
}

// -----

// Kernels compute these.
// CHECK-LABEL: func @kept
// CHECK: xf.attention_vjp
// CHECK: xf.attention_vjp
func.func @kept(%x: tensor<1x1x6x4xf32>, %lse: tensor<1x1x6xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) {
  %0:3 = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = elu>) : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>)
  %1:3 = xf.attention_vjp %x, %x, %x, %x, %lse, %x pattern(#xf.causal) : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6xf32>, tensor<1x1x6x4xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>)
  return %0#0, %1#0 : tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>
}

// -----

// Other passes of the stage write attention out where no state carries its sums over the set.
// CHECK-LABEL: func @window
// CHECK: xf.vjp @attention
func.func @window(%x: tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32> {
  %0:3 = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.window<left = 2>>) : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>)
  return %0#0 : tensor<1x1x6x4xf32>
}
