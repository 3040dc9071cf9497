// RUN: xf-equivalence %s --pipeline='xf-gradient'
// RUN: xf-equivalence %s --pipeline='xf-gradient,func.func(xf-fuse)' --seed=2

func.func private @loss(%w: tensor<4x3xf64>, %b: tensor<4xf64>, %x: tensor<5x3xf64>, %t: tensor<5xi64>) -> (tensor<f64>, tensor<5x4xf64>) {
  %y = xf.linear %x, %w bias(%b : tensor<4xf64>) : (tensor<5x3xf64>, tensor<4x3xf64>) -> tensor<5x4xf64>
  %a = xf.silu %y : tensor<5x4xf64>
  %l, %lse = xf.cross_entropy %a, %t : (tensor<5x4xf64>, tensor<5xi64>) -> (tensor<f64>, tensor<5xf64>)
  return %l, %a : tensor<f64>, tensor<5x4xf64>
}

func.func @train(%w: tensor<4x3xf64>, %b: tensor<4xf64>, %x: tensor<5x3xf64>, %t: tensor<5xi64>,
                 %vw: tensor<4x3xf64>, %vb: tensor<4xf64>, %rate: tensor<f32>) -> (tensor<f64>, tensor<4x3xf64>, tensor<4x3xf64>, tensor<4xf64>, tensor<4xf64>) {
  %l, %a, %d_w, %d_b = xf.gradient @loss(%w, %b, %x, %t) wrt [0, 1]
    : (tensor<4x3xf64>, tensor<4xf64>, tensor<5x3xf64>, tensor<5xi64>) -> (tensor<f64>, tensor<5x4xf64>, tensor<4x3xf64>, tensor<4xf64>)
  %clip = xf.clip_scale %d_w, %d_b max_norm 0.1 : (tensor<4x3xf64>, tensor<4xf64>) -> tensor<f32>
  %w1, %vw1 = xf.sgd %w, %d_w, %vw rate %rate clip %clip momentum 0.9 decay 0.01 : tensor<4x3xf64>, tensor<f32>, tensor<f32>
  %b1, %vb1 = xf.sgd %b, %d_b, %vb rate %rate clip %clip momentum 0.9 decay 0.0 : tensor<4xf64>, tensor<f32>, tensor<f32>
  return %l, %w1, %vw1, %b1, %vb1 : tensor<f64>, tensor<4x3xf64>, tensor<4x3xf64>, tensor<4xf64>, tensor<4xf64>
}

// One tensor for two arguments; a gradient by a value that is no argument of the caller.
func.func @derivative_of_shared(%x: tensor<5x3xf64>, %b: tensor<4xf64>, %w: tensor<4x3xf64>, %t: tensor<5xi64>, %d: tensor<f64>, %e: tensor<5x4xf64>)
    -> (tensor<5x4xf64>, tensor<5x3xf64>, tensor<4x3xf64>) {
  %s = xf.square %x : tensor<5x3xf64>
  %l, %a, %d_x, %d_w = xf.vjp @loss(%w, %b, %s, %t) cotangents(%d, %e : tensor<f64>, tensor<5x4xf64>) wrt [2, 0]
    : (tensor<4x3xf64>, tensor<4xf64>, tensor<5x3xf64>, tensor<5xi64>) -> (tensor<f64>, tensor<5x4xf64>, tensor<5x3xf64>, tensor<4x3xf64>)
  return %a, %d_x, %d_w : tensor<5x4xf64>, tensor<5x3xf64>, tensor<4x3xf64>
}

// The gradient of a table that embeds ids and computes logits: one joins the other, on either side of the sum.
func.func @tied_table(%ids: tensor<5xi64>, %dy: tensor<5x3xf64>, %g: tensor<4x3xf64>, %more: tensor<2xi32>, %dz: tensor<2x3xf64>)
    -> (tensor<4x3xf64>, tensor<4x3xf64>) {
  %e = xf.embedding_vjp %ids, %dy : (tensor<5xi64>, tensor<5x3xf64>) -> tensor<4x3xf64>
  %right = xf.add %g, %e : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %f = xf.embedding_vjp %more, %dz : (tensor<2xi32>, tensor<2x3xf64>) -> tensor<4x3xf64>
  %left = xf.add %f, %g : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  return %right, %left : tensor<4x3xf64>, tensor<4x3xf64>
}
