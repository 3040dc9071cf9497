// RUN: xf-opt %s -xf-expand-relative | FileCheck %s

// Features are ops; a column of ones behind the values gives the divisor.
// CHECK-LABEL: func.func @elu
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x3xf32>, %[[K:.*]]: tensor<1x1x4x3xf32>, %[[T:.*]]: tensor<2x7xf32>
// CHECK: %[[PADDED:.*]] = xf.pad %[[K]] {{.*}} to tensor<1x1x4x4xf32>
// CHECK: %[[V:.*]] = xf.add %[[PADDED]]
// CHECK: xf.exp
// CHECK: %[[FQ:.*]] = xf.where
// CHECK: xf.exp
// CHECK: %[[FK:.*]] = xf.where
// CHECK: %[[SUMS:.*]] = xf.attention %[[FQ]], %[[FK]], %[[V]] pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.causal>) relative(%[[T]] : tensor<2x7xf32>) : {{.*}} -> tensor<1x2x4x4xf32>
// CHECK: %[[Z:.*]] = xf.slice %[[SUMS]] offsets [0, 0, 0, 3]
// CHECK: %[[DIVISOR:.*]] = xf.add %[[Z]]
// CHECK: %[[N:.*]] = xf.slice %[[SUMS]] offsets [0, 0, 0, 0]
// CHECK: xf.div %[[N]], %[[DIVISOR]]
func.func @elu(%q: tensor<1x2x4x3xf32>, %k: tensor<1x1x4x3xf32>, %t: tensor<2x7xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = elu, of = #xf.causal>) relative(%t : tensor<2x7xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// Positive weights, of which each row has its own largest: a softmax of their logarithms, with a shift of each key.
// CHECK-LABEL: func.func @running
// CHECK-SAME: %[[T:[a-z0-9]*]]: tensor<2x7xf32>
// CHECK: %[[SHIFT:.*]] = xf.reshape {{.*}} to tensor<1x1x4xf32>
// CHECK: xf.attention {{.*}} pattern(#xf.causal) scale 1.000000e+00 score(%[[S:.*]] : f32, %[[B:.*]], %[[H:.*]], %[[I:.*]], %[[J:.*]]) captures(%[[SHIFTS:.*]] = %[[SHIFT]] : tensor<1x1x4xf32>, %[[TABLE:.*]] = %[[T]] : tensor<2x7xf32>)
// CHECK: %[[HK:.*]] = arith.divui %[[H]]
// CHECK: tensor.extract %[[SHIFTS]][%[[B]], %[[HK]], %[[J]]]
// CHECK: math.log %[[S]]
// CHECK: %[[DISTANCE:.*]] = arith.subi %[[J]], %[[I]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[DISTANCE]]
// CHECK: tensor.extract %[[TABLE]][%[[H]], %[[PLACE]]]
func.func @running(%q: tensor<1x2x4x3xf32>, %k: tensor<1x1x4x3xf32>, %w: tensor<5x3xf32>, %t: tensor<2x7xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<5x3xf32>) relative(%t : tensor<2x7xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// What no pair has is not looked at; rows without a key are 0.
// CHECK-LABEL: func.func @lengths
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x3xf32>, %[[K:.*]]: tensor<1x1x4x3xf32>
// CHECK: %[[KEYS:.*]] = xf.attention {{.*}}#xf.kernelized<feature = identity, normalizer = none>) lengths
// CHECK: %[[SEES:.*]] = xf.compare gt %[[KEYS]]
// CHECK: xf.where %[[SEES]], %[[Q]]
// CHECK: %[[QUERIES:.*]]:3 = xf.attention_vjp
// CHECK: %[[SEEN:.*]] = xf.compare gt %[[QUERIES]]#2
// CHECK: xf.where %[[SEEN]], %[[K]]
// CHECK: %[[SUMS:.*]] = xf.attention {{.*}} relative
// CHECK: %[[SEES_KEYS:.*]] = xf.compare gt %[[KEYS]]
// CHECK: %[[DIVISOR:.*]] = xf.where %[[SEES_KEYS]], %[[KEYS]]
// CHECK: xf.div %[[SUMS]], %[[DIVISOR]]
func.func @lengths(%q: tensor<1x2x4x3xf32>, %k: tensor<1x1x4x3xf32>, %t: tensor<2x7xf32>, %n: tensor<1xi64>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.kernelized<feature = exp, normalizer = count>) relative(%t : tensor<2x7xf32>) lengths(%n : tensor<1xi64>)
    : (tensor<1x2x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// No state carries sums over a window from query to query: the op runs over pairs, too. One carries those over all keys.
// CHECK-LABEL: func.func @window
// CHECK: %[[FQ:.*]] = xf.square
// CHECK: %[[FK:.*]] = xf.square
// CHECK: xf.attention %[[FQ]], %[[FK]], %{{.*}} pattern(#xf.kernelized<feature = identity, normalizer = none, of = #xf.window<left = 2>>)
// CHECK: xf.attention {{.*}} pattern(#xf.kernelized<feature = square, epsilon = 0.000000e+00, normalizer = none>)
func.func @window(%q: tensor<1x1x4x3xf32>) -> (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) {
  %o = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = square, epsilon = 0.0, normalizer = none, of = #xf.window<left = 2>>)
    : (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x1x4x3xf32>
  %p = xf.attention %q, %q, %q pattern(#xf.kernelized<feature = square, epsilon = 0.0, normalizer = none>)
    : (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x1x4x3xf32>
  return %o, %p : tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>
}
