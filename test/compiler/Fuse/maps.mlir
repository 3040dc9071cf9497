// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = xf.map (%[[SX:.*]] = %[[X]] : tensor<2x4xf32>, %[[SB:.*]] = %[[B]] : tensor<4xf32>) -> tensor<2x4xf32> {
// CHECK: %[[SUM:.*]] = arith.addf %[[SX]], %[[SB]]
// CHECK: %[[T:.*]] = math.tanh %[[SUM]]
// CHECK: arith.mulf %[[T]], %[[SX]]
// CHECK: return %[[Y]]
func.func @chain(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = xf.add %x, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = xf.tanh %0 : tensor<2x4xf32>
  %2 = xf.mul %1, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// An expensive result with two readers is computed once.
// CHECK-LABEL: func.func @expensive_shared
// CHECK-COUNT-3: xf.map
// CHECK-NOT: xf.map
func.func @expensive_shared(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = xf.exp %x : tensor<4xf32>
  %1 = xf.square %0 : tensor<4xf32>
  %2 = xf.neg %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// A cheap one disappears into its readers.
// CHECK-LABEL: func.func @cheap_shared
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: xf.map (%{{.*}} = %[[X]] : tensor<4xf32>)
// CHECK: xf.map (%{{.*}} = %[[X]] : tensor<4xf32>)
// CHECK-NOT: xf.map
func.func @cheap_shared(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = xf.neg %x : tensor<4xf32>
  %1 = xf.exp %0 : tensor<4xf32>
  %2 = xf.tanh %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// But not one that reads two tensors where its result is one.
// CHECK-LABEL: func.func @cheap_shared_sum
// CHECK-COUNT-3: xf.map
// CHECK-NOT: xf.map
func.func @cheap_shared_sum(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = xf.add %x, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = xf.exp %0 : tensor<4xf32>
  %2 = xf.tanh %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Elements that broadcasting repeats are not computed once per copy.
// CHECK-LABEL: func.func @expensive_broadcast
// CHECK: xf.map {{.*}} -> tensor<4xf32>
// CHECK: xf.map {{.*}} -> tensor<2x4xf32>
func.func @expensive_broadcast(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = xf.exp %b : tensor<4xf32>
  %1 = xf.mul %x, %0 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<-0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %0 = xf.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = xf.mul %0, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// x + 0 is 0 where x is -0.
// CHECK-LABEL: func.func @sign_of_zero
// CHECK: arith.addf
func.func @sign_of_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = xf.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant_result
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @constant_result() -> tensor<4xf32> {
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %three = arith.constant dense<3.0> : tensor<f32>
  %0 = xf.mul %two, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @through_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<1x4xf32>
// CHECK-NEXT: xf.map (%{{.*}} = %[[X]] : tensor<2x4xf32>, %{{.*}} = %[[B]] : tensor<1x4xf32>)
func.func @through_broadcast(%x: tensor<2x4xf32>, %b: tensor<1x4xf32>) -> tensor<2x4xf32> {
  %0 = xf.broadcast %b : tensor<1x4xf32> to tensor<2x4xf32>
  %1 = xf.mul %x, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// An operand that is not read may still be the one that knows the size.
// CHECK-LABEL: func.func @shape_only
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<f32>
// CHECK-NEXT: xf.map (%{{.*}} = %[[X]] : tensor<?xf32>, %{{.*}} = %[[B]] : tensor<f32>) -> tensor<?xf32>
func.func @shape_only(%x: tensor<?xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %y = xf.map (%s = %x : tensor<?xf32>, %t = %b : tensor<f32>) -> tensor<?xf32> {
    %u = math.exp %t : f32
    xf.yield %u : f32
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @unread
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<f32>
// CHECK-NEXT: xf.map (%{{.*}} = %[[X]] : tensor<4xf32>) -> tensor<4xf32>
func.func @unread(%x: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %y = xf.map (%s = %x : tensor<4xf32>, %t = %b : tensor<f32>) -> tensor<4xf32> {
    %u = math.exp %s : f32
    xf.yield %u : f32
  }
  return %y : tensor<4xf32>
}
