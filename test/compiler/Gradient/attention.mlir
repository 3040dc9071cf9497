// RUN: xf-opt %s -split-input-file -xf-gradient=entry=f -cse | FileCheck %s

// The forward op gains the log-sum-exp that its gradient recomputes from.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[Q:[^ :]*]]: tensor<1x2x8x4xf32>, %[[K:[^ :]*]]: tensor<1x1x8x4xf32>, %[[V:[^ :]*]]: tensor<1x1x8x4xf32>, %[[DO:[^ :]*]]: tensor<1x2x8x4xf32>
// CHECK: %[[FORWARD:.*]]:2 = xf.attention %[[Q]], %[[K]], %[[V]] pattern(#xf.causal)
// CHECK-SAME: -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
// CHECK-NOT: xf.attention %
// CHECK: %[[D:.*]]:3 = xf.attention_vjp %[[Q]], %[[K]], %[[V]], %[[FORWARD]]#0, %[[FORWARD]]#1, %[[DO]] pattern(#xf.causal)
// CHECK: return %[[FORWARD]]#0, %[[D]]#0, %[[D]]#1, %[[D]]#2
func.func @f(%q: tensor<1x2x8x4xf32>, %k: tensor<1x1x8x4xf32>, %v: tensor<1x1x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal)
    : (tensor<1x2x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// -----

// Query, key and value from one tensor: its three gradients add up.
// CHECK-LABEL: func.func @f_vjp
// CHECK: %[[D:.*]]:3 = xf.attention_vjp
// CHECK: %[[DQK:.*]] = xf.add %[[D]]#0, %[[D]]#1
// CHECK: %[[DQKV:.*]] = xf.add %[[DQK]], %[[D]]#2
// CHECK: return %{{.*}}, %[[DQKV]]
func.func @f(%x: tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64> {
  %o = xf.attention %x, %x, %x pattern(#xf.dense)
    : (tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>, tensor<1x2x8x4xf64>) -> tensor<1x2x8x4xf64>
  return %o : tensor<1x2x8x4xf64>
}

// -----

// Every clause reaches the gradient; an integer capture has none of its own.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[LENGTHS:[^ :]*]]: tensor<1xi64>, %[[BUCKETS:[^ :]*]]: tensor<8xi32>, %[[TABLE:[^ :]*]]: tensor<8xf32>
// CHECK: xf.attention_vjp
// CHECK-SAME: pattern(#xf.causal) scale 5.000000e-01 lengths(%[[LENGTHS]] : tensor<1xi64>) score
// CHECK-SAME: captures(%{{.*}} = %[[BUCKETS]] : tensor<8xi32>, %[[T:.*]] = %[[TABLE]] : tensor<8xf32>)
// CHECK: tensor.extract %[[T]]
// CHECK: captures(tensor<8xf32>)
// CHECK: return %{{.*}} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<8xf32>
func.func @f(%x: tensor<1x2x8x4xf32>, %n: tensor<1xi64>, %buckets: tensor<8xi32>, %table: tensor<8xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) scale 0.5 lengths(%n : tensor<1xi64>)
    score(%s : f32, %b, %h, %i, %j) captures(%u = %buckets : tensor<8xi32>, %t = %table : tensor<8xf32>) {
      %d = arith.subi %i, %j : index
      %bucket = tensor.extract %u[%d] : tensor<8xi32>
      %at = arith.index_cast %bucket : i32 to index
      %bias = tensor.extract %t[%at] : tensor<8xf32>
      %y = arith.addf %s, %bias : f32
      xf.yield %y : f32
    } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// -----

// A loss may read the log-sum-exp alone.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<1x2x8x4xf32>, %[[DLSE:[^ :]*]]: tensor<1x2x8xf32>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<1x2x8x4xf32>
// CHECK: xf.attention_vjp %[[X]], %[[X]], %[[X]], %{{.*}}#0, %{{.*}}#1, %[[ZERO]], %[[DLSE]]
func.func @f(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x8xf32> {
  %o, %lse = xf.attention %x, %x, %x pattern(#xf.dense)
    : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
  return %lse : tensor<1x2x8xf32>
}

// -----

// Kernelised attention has no lse: its gradient takes o, and has results for W and the weights of keys.
// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<1x2x8x4xf32>, %[[W:[^ :]*]]: tensor<6x4xf32>, %[[A:[^ :]*]]: tensor<1x2x8xf32>, %[[B:[^ :]*]]: tensor<1x2x8xf32>, %[[DO:[^ :]*]]: tensor<1x2x8x4xf32>
// CHECK: %[[O:.*]] = xf.attention %[[X]], %[[X]], %[[X]] pattern(#[[P:.*]]) params(%[[W]] : tensor<6x4xf32>) decay(%[[A]] : tensor<1x2x8xf32>) beta(%[[B]] : tensor<1x2x8xf32>)
// CHECK-SAME: -> tensor<1x2x8x4xf32>
// CHECK: %[[D:.*]]:6 = xf.attention_vjp %[[X]], %[[X]], %[[X]], %[[O]], %[[DO]] pattern(#[[P]]) params(%[[W]] : tensor<6x4xf32>) decay(%[[A]] : tensor<1x2x8xf32>) beta(%[[B]] : tensor<1x2x8xf32>)
// CHECK: return %[[O]], %{{.*}}, %[[D]]#3, %[[D]]#4, %[[D]]#5
func.func @f(%x: tensor<1x2x8x4xf32>, %w: tensor<6x4xf32>, %a: tensor<1x2x8xf32>, %b: tensor<1x2x8xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = exp, of = #xf.causal>) params(%w : tensor<6x4xf32>)
       decay(%a : tensor<1x2x8xf32>) beta(%b : tensor<1x2x8xf32>)
    : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}

// -----

// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: %[[T:[^ :]*]]: tensor<2x15xf32>
// CHECK: %[[D:.*]]:4 = xf.attention_vjp {{.*}} relative(%[[T]] : tensor<2x15xf32>)
// CHECK: return %{{.*}}, %[[D]]#3
func.func @f(%x: tensor<1x2x8x4xf32>, %t: tensor<2x15xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x15xf32>)
    : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
