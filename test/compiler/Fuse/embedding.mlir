// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[IDS:.*]]: tensor<2xi32>, %[[DY:.*]]: tensor<2x4xf32>, %[[G:.*]]: tensor<9x4xf32>
// CHECK-NEXT: %[[D:.*]] = xf.embedding_vjp %[[IDS]], %[[DY]] onto %[[G]]
// CHECK-NEXT: return %[[D]]
func.func @sum(%ids: tensor<2xi32>, %dy: tensor<2x4xf32>, %g: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %e = xf.embedding_vjp %ids, %dy : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  %d = xf.add %e, %g : (tensor<9x4xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %d : tensor<9x4xf32>
}

// Two texts in one table: one gradient after the other.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: %[[IDS:.*]]: tensor<2xi32>, %[[DY:.*]]: tensor<2x4xf32>, %[[MORE:.*]]: tensor<3xi32>, %[[DZ:.*]]: tensor<3x4xf32>
// CHECK-NEXT: %[[E:.*]] = xf.embedding_vjp %[[IDS]], %[[DY]] :
// CHECK-NEXT: %[[D:.*]] = xf.embedding_vjp %[[MORE]], %[[DZ]] onto %[[E]]
// CHECK-NEXT: return %[[D]]
func.func @twice(%ids: tensor<2xi32>, %dy: tensor<2x4xf32>, %more: tensor<3xi32>, %dz: tensor<3x4xf32>) -> tensor<9x4xf32> {
  %e = xf.embedding_vjp %ids, %dy : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  %f = xf.embedding_vjp %more, %dz : (tensor<3xi32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  %d = xf.add %e, %f : (tensor<9x4xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %d : tensor<9x4xf32>
}

// Read besides, or added to what repeats: a table of its own.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-2: xf.embedding_vjp %{{.*}}, %{{[^ ]*}} :
// CHECK-NOT: onto
func.func @kept(%ids: tensor<2xi32>, %dy: tensor<2x4xf32>, %g: tensor<9x4xf32>, %row: tensor<4xf32>) -> (tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) {
  %e = xf.embedding_vjp %ids, %dy : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  %d = xf.add %g, %e : (tensor<9x4xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
  %s = xf.mul %dy, %dy : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %f = xf.embedding_vjp %ids, %s : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  %r = xf.add %f, %row : (tensor<9x4xf32>, tensor<4xf32>) -> tensor<9x4xf32>
  return %e, %d, %r : tensor<9x4xf32>, tensor<9x4xf32>, tensor<9x4xf32>
}
