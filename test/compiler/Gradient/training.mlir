// RUN: xf-opt %s -xf-gradient=entry=embedding,cross_entropy,cross_entropy_lse,dropout | FileCheck %s

// CHECK-LABEL: func.func @embedding_vjp
// CHECK-SAME: %{{[^ :]*}}: tensor<9x4xf32>, %[[IDS:[^ :]*]]: tensor<2x3xi32>, %[[DY:[^ :]*]]: tensor<2x3x4xf32>
// CHECK: xf.embedding_vjp %[[IDS]], %[[DY]] : (tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<9x4xf32>
func.func @embedding(%table: tensor<9x4xf32>, %ids: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %y = xf.embedding %table, %ids : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// The softmax comes from the log-sum-exp of the forward pass, which is f64: f32 has no digits beside large logits.
// CHECK-LABEL: func.func @cross_entropy_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<3x9xf32>, %[[T:[^ :]*]]: tensor<3xi64>, %[[DLOSS:[^ :]*]]: tensor<f32>
// CHECK: %[[LOSS:.*]], %[[LSE:.*]] = xf.cross_entropy %[[X]], %[[T]] : (tensor<3x9xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<3xf64>)
// CHECK: %[[DX:.*]] = xf.cross_entropy_vjp %[[X]], %[[T]], %[[LSE]], %[[DLOSS]]
// CHECK: return %[[LOSS]], %[[DX]]
func.func @cross_entropy(%x: tensor<3x9xf32>, %t: tensor<3xi64>) -> tensor<f32> {
  %loss, %lse = xf.cross_entropy %x, %t : (tensor<3x9xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>)
  return %loss : tensor<f32>
}

// CHECK-LABEL: func.func @cross_entropy_lse_vjp
// CHECK: %[[DLOSS:.*]] = xf.cross_entropy_vjp
// CHECK: xf.softmax
// CHECK: %[[DLSE:.*]] = xf.map
// CHECK: xf.add %[[DLOSS]], %[[DLSE]]
func.func @cross_entropy_lse(%x: tensor<3x9xf32>, %t: tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>) {
  %loss, %lse = xf.cross_entropy %x, %t : (tensor<3x9xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<3xf32>)
  return %loss, %lse : tensor<f32>, tensor<3xf32>
}

// The same seed draws the same mask.
// CHECK-LABEL: func.func @dropout_vjp
// CHECK-SAME: %{{[^ :]*}}: tensor<4xf32>, %[[SEED:[^ :]*]]: tensor<2xi64>, %[[DY:[^ :]*]]: tensor<4xf32>
// CHECK: xf.dropout %[[DY]] seed(%[[SEED]] : tensor<2xi64>) p 1.000000e-01
func.func @dropout(%x: tensor<4xf32>, %seed: tensor<2xi64>) -> tensor<4xf32> {
  %y = xf.dropout %x seed(%seed : tensor<2xi64>) p 0.1 : tensor<4xf32>
  return %y : tensor<4xf32>
}
