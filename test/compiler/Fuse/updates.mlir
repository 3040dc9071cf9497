// RUN: xf-opt %s -pass-pipeline='builtin.module(func.func(xf-fuse))' | FileCheck %s

// Each parameter changes right after its gradient and its last reader, not at the end.
// CHECK-LABEL: func.func @two_layers
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<4x3xf32>, %[[V:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK: %[[H:.*]] = xf.product %{{.*}}, %[[U]] transposed
// CHECK: %[[DV:.*]] = xf.product %{{.*}} transposed, %[[H]]
// CHECK: %[[DH:.*]] = xf.product %{{.*}}, %[[V]] epilogue
// CHECK: xf.sgd %[[V]], %[[DV]]
// CHECK: %[[DU:.*]] = xf.product %[[DH]] transposed
// CHECK: xf.sgd %[[U]], %[[DU]]
func.func @two_layers(%u: tensor<4x3xf32>, %v: tensor<3x4xf32>, %mu: tensor<4x3xf32>, %mv: tensor<3x4xf32>,
                      %x: tensor<5x3xf32>, %dy: tensor<5x3xf32>, %rate: tensor<f32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %h = xf.linear %x, %u : (tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<5x4xf32>
  %dv = xf.matmul %dy transposed, %h : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %dh = xf.matmul %dy, %v : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %du = xf.matmul %dh transposed, %x : (tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %u1, %mu1 = xf.sgd %u, %du, %mu rate %rate clip %one momentum 0.9 decay 0.0 : tensor<4x3xf32>, tensor<f32>, tensor<f32>
  %v1, %mv1 = xf.sgd %v, %dv, %mv rate %rate clip %one momentum 0.9 decay 0.0 : tensor<3x4xf32>, tensor<f32>, tensor<f32>
  return %u1, %mu1, %v1, %mv1 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// The number of the step is no reason to wait.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<4x3xf32>, %[[V:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK: %[[T:.*]] = xf.{{add|map}} {{.*}}tensor<i64>
// CHECK: %[[DV:.*]] = xf.product
// CHECK: xf.adamw %[[V]], %[[DV]]
// CHECK: %[[DU:.*]] = xf.product
// CHECK: xf.adamw %[[U]], %[[DU]]
func.func @counted(%u: tensor<4x3xf32>, %v: tensor<3x4xf32>, %mu: tensor<4x3xf32>, %su: tensor<4x3xf32>, %mv: tensor<3x4xf32>,
                   %sv: tensor<3x4xf32>, %x: tensor<5x3xf32>, %dy: tensor<5x3xf32>, %dh: tensor<5x4xf32>, %rate: tensor<f32>, %step: tensor<i64>)
    -> (tensor<4x3xf32>, tensor<3x4xf32>, tensor<i64>) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %n = arith.constant dense<1> : tensor<i64>
  %dv = xf.matmul %dy transposed, %dh : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %du = xf.matmul %dh transposed, %x : (tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %t = xf.add %step, %n : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %u1, %mu1, %su1 = xf.adamw %u, %du, %mu, %su rate %rate step %t clip %one betas 0.9, 0.99 eps 1.0e-8 decay 0.0 : tensor<4x3xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  %v1, %mv1, %sv1 = xf.adamw %v, %dv, %mv, %sv rate %rate step %t clip %one betas 0.9, 0.99 eps 1.0e-8 decay 0.0 : tensor<3x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %u1, %v1, %t : tensor<4x3xf32>, tensor<3x4xf32>, tensor<i64>
}

// A clip scale needs all gradients, and an update stays behind it; a parameter that is returned unchanged, too, stays as it is.
// CHECK-LABEL: func.func @clipped
// CHECK: xf.clip_scale
// CHECK: xf.sgd
// CHECK: xf.sgd
func.func @clipped(%u: tensor<4xf32>, %v: tensor<4xf32>, %m: tensor<4xf32>, %du: tensor<4xf32>, %dv: tensor<4xf32>, %rate: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %clip = xf.clip_scale %du, %dv max_norm 1.0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %u1, %mu = xf.sgd %u, %du, %m rate %rate clip %clip momentum 0.9 decay 0.0 : tensor<4xf32>, tensor<f32>, tensor<f32>
  %v1, %mv = xf.sgd %v, %dv, %m rate %rate clip %clip momentum 0.9 decay 0.0 : tensor<4xf32>, tensor<f32>, tensor<f32>
  return %u1, %v1, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Maps that replace arguments are updates, too: they stand after the last reader, side by side, and are no epilogue of
// the product, which cannot replace what it reads.
// CHECK-LABEL: func.func @maps
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<4x3xf32> {xf.name = "u"}, %[[V:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "v"}
// CHECK: %[[DV:.*]] = xf.product %{{[a-z0-9]+}} transposed,
// CHECK: xf.product %{{.*}}, %[[V]] epilogue
// CHECK-NOT: xf.product
// CHECK: %[[V1:.*]] = xf.map (%{{.*}} = %[[V]] : tensor<3x4xf32>, %{{.*}} = %[[DV]] :
// CHECK-NOT: xf.product
// CHECK: xf.map (%{{.*}} = %{{.*}} : tensor<3x4xf32>, %{{.*}} = %[[V1]] :
// CHECK: %[[DU:.*]] = xf.product %{{[a-z0-9]+}} transposed,
// CHECK: xf.map (%{{.*}} = %[[U]] : tensor<4x3xf32>, %{{.*}} = %[[DU]] :
func.func @maps(%u: tensor<4x3xf32> {xf.name = "u"}, %v: tensor<3x4xf32> {xf.name = "v"}, %e: tensor<3x4xf32> {xf.name = "e"},
                %x: tensor<5x3xf32> {xf.name = "x"}, %dy: tensor<5x3xf32> {xf.name = "dy"})
    -> (tensor<4x3xf32> {xf.name = "new_u", xf.updates = "u"}, tensor<3x4xf32> {xf.name = "new_v", xf.updates = "v"},
        tensor<3x4xf32> {xf.name = "new_e", xf.updates = "e"}) {
  %h = xf.linear %x, %u : (tensor<5x3xf32>, tensor<4x3xf32>) -> tensor<5x4xf32>
  %dv = xf.matmul %dy transposed, %h : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %dh = xf.matmul %dy, %v : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %du = xf.matmul %dh transposed, %x : (tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %u1 = xf.sub %u, %du : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %v1 = xf.sub %v, %dv : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %e1 = xf.add %e, %v1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %u1, %v1, %e1 : tensor<4x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
