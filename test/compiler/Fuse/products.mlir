// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @bias_activation_residual
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[W:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<4xf32>, %[[R:.*]]: tensor<2x4xf32>
// CHECK-NEXT: %[[Y:.*]] = xf.product %[[X]], %[[W]] transposed epilogue(%[[P:.*]] : f32, %[[SB:.*]] = %[[B]] : tensor<4xf32>, %[[SR:.*]] = %[[R]] : tensor<2x4xf32>) {
// CHECK: %[[H:.*]] = arith.addf %[[P]], %[[SB]]
// CHECK: %[[T:.*]] = math.tanh %[[H]]
// CHECK: %[[S:.*]] = arith.addf %[[T]], %[[SR]]
// CHECK: xf.yield %[[S]]
// CHECK: return %[[Y]]
func.func @bias_activation_residual(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>, %r: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = xf.linear %x, %w bias(%b : tensor<4xf32>) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.tanh %0 : tensor<2x4xf32>
  %2 = xf.add %1, %r : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// Somebody else reads the product, its gradient for example: it leaves beside what the map makes of it.
// CHECK-LABEL: func.func @two_results
// CHECK: %[[Y:.*]]:2 = xf.product %{{.*}}, %{{.*}} transposed epilogue(%[[P:.*]] : f32) {
// CHECK: %[[T:.*]] = math.tanh %[[P]]
// CHECK: xf.yield %[[P]], %[[T]]
// CHECK: return %[[Y]]#1, %[[Y]]#0
func.func @two_results(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.tanh %0 : tensor<2x4xf32>
  return %1, %0 : tensor<2x4xf32>, tensor<2x4xf32>
}

// The last of two products has both at hand.
// CHECK-LABEL: func.func @gate
// CHECK: %[[A:.*]] = xf.product {{.*}} epilogue(%{{.*}} : f32) {
// CHECK: xf.product {{.*}} epilogue(%[[P:.*]] : f32, %[[S:.*]] = %[[A]] : tensor<2x4xf32>) {
// CHECK: arith.mulf %[[S]], %[[P]]
// CHECK-NOT: xf.map
func.func @gate(%x: tensor<2x3xf32>, %v: tensor<4x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = xf.linear %x, %v : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %2 = xf.mul %0, %1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// A product does not wait for an operand that is made later, because its factors would have to wait too.
// CHECK-LABEL: func.func @late_operand
// CHECK: xf.product
// CHECK: %[[LATE:.*]] = xf.softmax
// CHECK: xf.map {{.*}} = %[[LATE]]
func.func @late_operand(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.softmax %z : tensor<2x4xf32>
  %2 = xf.add %0, %1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// It does wait for a view.
// CHECK-LABEL: func.func @view_operand
// CHECK: %[[B:.*]] = xf.reshape
// CHECK: xf.product {{.*}} = %[[B]] : tensor<1x4xf32>) {
func.func @view_operand(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.reshape %b : tensor<4xf32> to tensor<1x4xf32>
  %2 = xf.add %0, %1 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// Selections by other tensors stay outside.
// CHECK-LABEL: func.func @integer_operand
// CHECK: xf.product
// CHECK: xf.map
func.func @integer_operand(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %c: tensor<2x4xi1>) -> tensor<2x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = xf.where %c, %0, %zero : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @transposed_factors
// CHECK-SAME: %[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<4x3xf32>
// CHECK-NEXT: xf.product %[[A]] transposed, %[[B]] transposed epilogue
func.func @transposed_factors(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %at = xf.transpose %a permutation [1, 0] : tensor<3x2xf32> to tensor<2x3xf32>
  %bt = xf.transpose %b permutation [1, 0] : tensor<4x3xf32> to tensor<3x4xf32>
  %y = xf.matmul %at, %bt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @row
// CHECK: %[[X:.*]] = xf.reshape %{{.*}} : tensor<3xf32> to tensor<1x3xf32>
// CHECK: %[[Y:.*]] = xf.product %[[X]], %{{.*}} transposed
// CHECK: xf.reshape %[[Y]] : tensor<1x4xf32> to tensor<4xf32>
func.func @row(%x: tensor<3xf32>, %w: tensor<4x3xf32>) -> tensor<4xf32> {
  %0 = xf.linear %x, %w : (tensor<3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A sum of products is added up in epilogues, each of which reads the sum so far.
// CHECK-LABEL: func.func @sum_of_products
// CHECK: %[[A:.*]] = xf.product %{{.*}}, %{{.*}} epilogue(%{{[a-z0-9]+}} : f32)
// CHECK: %[[B:.*]] = xf.product %{{.*}} epilogue(%{{.*}} : f32, %{{.*}} = %[[A]] : tensor<4x5xf32>)
// CHECK: xf.product %{{.*}} epilogue(%{{.*}} : f32, %{{.*}} = %[[B]] : tensor<4x5xf32>)
// CHECK-NOT: xf.map
func.func @sum_of_products(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>, %z: tensor<4x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %a = xf.matmul %x, %w : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %b = xf.matmul %y, %w : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %c = xf.matmul %z, %w : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %s = xf.add %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %t = xf.add %s, %c : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %t : tensor<4x5xf32>
}
