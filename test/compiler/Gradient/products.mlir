// RUN: xf-opt %s -xf-gradient=entry=linear,linear_vector,plain,both_transposed,batched,shared,shared_transposed,shared_left | FileCheck %s

// CHECK-LABEL: func.func @linear_vjp
// CHECK-SAME: %[[X:[^ :]*]]: tensor<2x5x3xf32>, %[[W:[^ :]*]]: tensor<4x3xf32>, %{{[^ :]*}}: tensor<4xf32>, %[[DY:[^ :]*]]: tensor<2x5x4xf32>
// CHECK: %[[DX:.*]] = xf.matmul %[[DY]], %[[W]] : (tensor<2x5x4xf32>, tensor<4x3xf32>) -> tensor<2x5x3xf32>
// CHECK-DAG: %[[DY2:.*]] = xf.reshape %[[DY]] : tensor<2x5x4xf32> to tensor<10x4xf32>
// CHECK-DAG: %[[X2:.*]] = xf.reshape %[[X]] : tensor<2x5x3xf32> to tensor<10x3xf32>
// CHECK: %[[DW:.*]] = xf.matmul %[[DY2]] transposed, %[[X2]] : (tensor<10x4xf32>, tensor<10x3xf32>) -> tensor<4x3xf32>
// CHECK: %[[DB:.*]] = xf.reduce sum %[[DY]] axes [0, 1]
// CHECK: return %{{.*}}, %[[DX]], %[[DW]], %[[DB]]
func.func @linear(%x: tensor<2x5x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x5x4xf32> {
  %y = xf.linear %x, %w bias(%b : tensor<4xf32>) : (tensor<2x5x3xf32>, tensor<4x3xf32>) -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}

// A row without leading dimensions is a matrix of one row.
// CHECK-LABEL: func.func @linear_vector_vjp
// CHECK: %[[DX:.*]] = xf.matmul %{{.*}}, %{{.*}} : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
// CHECK: xf.reshape %[[DX]] : tensor<1x3xf32> to tensor<3xf32>
func.func @linear_vector(%x: tensor<3xf32>, %w: tensor<4x3xf32>) -> tensor<4xf32> {
  %y = xf.linear %x, %w : (tensor<3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @plain_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<2x3xf32>, %[[B:[^ :]*]]: tensor<3x4xf32>, %[[DY:[^ :]*]]: tensor<2x4xf32>
// CHECK: %[[DA:.*]] = xf.matmul %[[DY]], %[[B]] transposed
// CHECK: %[[DB:.*]] = xf.matmul %[[A]] transposed, %[[DY]] :
// CHECK: return %{{.*}}, %[[DA]], %[[DB]]
func.func @plain(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = xf.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @both_transposed_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<3x2xf32>, %[[B:[^ :]*]]: tensor<4x3xf32>, %[[DY:[^ :]*]]: tensor<2x4xf32>
// CHECK: %[[DA:.*]] = xf.matmul %[[B]] transposed, %[[DY]] transposed : (tensor<4x3xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
// CHECK: %[[DB:.*]] = xf.matmul %[[DY]] transposed, %[[A]] transposed : (tensor<2x4xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
func.func @both_transposed(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @batched_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<7x2x3xf32>, %[[B:[^ :]*]]: tensor<7x3x4xf32>, %[[DY:[^ :]*]]: tensor<7x2x4xf32>
// CHECK: xf.matmul %[[DY]], %[[B]] transposed : (tensor<7x2x4xf32>, tensor<7x3x4xf32>) -> tensor<7x2x3xf32>
// CHECK: xf.matmul %[[A]] transposed, %[[DY]] : (tensor<7x2x3xf32>, tensor<7x2x4xf32>) -> tensor<7x3x4xf32>
func.func @batched(%a: tensor<7x2x3xf32>, %b: tensor<7x3x4xf32>) -> tensor<7x2x4xf32> {
  %y = xf.matmul %a, %b : (tensor<7x2x3xf32>, tensor<7x3x4xf32>) -> tensor<7x2x4xf32>
  return %y : tensor<7x2x4xf32>
}

// A matrix shared by the batch gets the sum over it from one product.
// CHECK-LABEL: func.func @shared_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<7x2x3xf32>, %[[B:[^ :]*]]: tensor<3x4xf32>, %[[DY:[^ :]*]]: tensor<7x2x4xf32>
// CHECK: xf.matmul %[[DY]], %[[B]] transposed
// CHECK-DAG: %[[A2:.*]] = xf.reshape %[[A]] : tensor<7x2x3xf32> to tensor<14x3xf32>
// CHECK-DAG: %[[DY2:.*]] = xf.reshape %[[DY]] : tensor<7x2x4xf32> to tensor<14x4xf32>
// CHECK: xf.matmul %[[A2]] transposed, %[[DY2]] :
func.func @shared(%a: tensor<7x2x3xf32>, %b: tensor<3x4xf32>) -> tensor<7x2x4xf32> {
  %y = xf.matmul %a, %b : (tensor<7x2x3xf32>, tensor<3x4xf32>) -> tensor<7x2x4xf32>
  return %y : tensor<7x2x4xf32>
}

// CHECK-LABEL: func.func @shared_transposed_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<7x3x2xf32>, %[[B:[^ :]*]]: tensor<4x3xf32>, %[[DY:[^ :]*]]: tensor<7x2x4xf32>
// CHECK: %[[DA:.*]] = xf.matmul %[[B]] transposed, %[[DY]] transposed : (tensor<4x3xf32>, tensor<7x2x4xf32>) -> tensor<7x3x2xf32>
// CHECK-DAG: %[[AT:.*]] = xf.transpose %[[A]] permutation [1, 0, 2] : tensor<7x3x2xf32> to tensor<3x7x2xf32>
// CHECK-DAG: %[[A2:.*]] = xf.reshape %[[AT]] : tensor<3x7x2xf32> to tensor<3x14xf32>
// CHECK-DAG: %[[DY2:.*]] = xf.reshape %[[DY]] : tensor<7x2x4xf32> to tensor<14x4xf32>
// CHECK: %[[DB:.*]] = xf.matmul %[[DY2]] transposed, %[[A2]] transposed : (tensor<14x4xf32>, tensor<3x14xf32>) -> tensor<4x3xf32>
// CHECK: return %{{.*}}, %[[DA]], %[[DB]]
func.func @shared_transposed(%a: tensor<7x3x2xf32>, %b: tensor<4x3xf32>) -> tensor<7x2x4xf32> {
  %y = xf.matmul %a transposed, %b transposed : (tensor<7x3x2xf32>, tensor<4x3xf32>) -> tensor<7x2x4xf32>
  return %y : tensor<7x2x4xf32>
}

// On the left, the columns of all matrices join; a batch that both have stays one.
// CHECK-LABEL: func.func @shared_left_vjp
// CHECK-SAME: %[[A:[^ :]*]]: tensor<5x3x2xf32>, %[[B:[^ :]*]]: tensor<7x5x3x4xf32>, %[[DY:[^ :]*]]: tensor<7x5x2x4xf32>
// CHECK-DAG: %[[BT:.*]] = xf.transpose %[[B]] permutation [1, 2, 0, 3] : tensor<7x5x3x4xf32> to tensor<5x3x7x4xf32>
// CHECK-DAG: %[[B2:.*]] = xf.reshape %[[BT]] : tensor<5x3x7x4xf32> to tensor<5x3x28xf32>
// CHECK-DAG: %[[DYT:.*]] = xf.transpose %[[DY]] permutation [1, 2, 0, 3] : tensor<7x5x2x4xf32> to tensor<5x2x7x4xf32>
// CHECK-DAG: %[[DY2:.*]] = xf.reshape %[[DYT]] : tensor<5x2x7x4xf32> to tensor<5x2x28xf32>
// CHECK: %[[DA:.*]] = xf.matmul %[[B2]], %[[DY2]] transposed : (tensor<5x3x28xf32>, tensor<5x2x28xf32>) -> tensor<5x3x2xf32>
// CHECK: %[[DB:.*]] = xf.matmul %[[A]], %[[DY]] : (tensor<5x3x2xf32>, tensor<7x5x2x4xf32>) -> tensor<7x5x3x4xf32>
// CHECK: return %{{.*}}, %[[DA]], %[[DB]]
func.func @shared_left(%a: tensor<5x3x2xf32>, %b: tensor<7x5x3x4xf32>) -> tensor<7x5x2x4xf32> {
  %y = xf.matmul %a transposed, %b : (tensor<5x3x2xf32>, tensor<7x5x3x4xf32>) -> tensor<7x5x2x4xf32>
  return %y : tensor<7x5x2x4xf32>
}
