// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.embedding C1
func.func @embedding_rank(%x: tensor<9xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected a table of rank 2, got 'tensor<9xf32>'}}
  %r = xf.embedding %x, %y : (tensor<9xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// xf.embedding C1
func.func @embedding_shape(%x: tensor<9x4xf32>, %y: tensor<2x3xi32>) {
  // expected-error@+1 {{expected a result of shape [2, 3, 4], got 'tensor<2x4xf32>'}}
  %r = xf.embedding %x, %y : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x4xf32>
  return
}

// -----

// xf.embedding C2
func.func @embedding_type(%x: tensor<9x4xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.embedding %x, %y : (tensor<9x4xf32>, tensor<2xi32>) -> tensor<2x4xf64>
  return
}

// -----

// xf.embedding_vjp C1
func.func @embedding_vjp_table(%x: tensor<2xi32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{expected the gradient of a table with a static number of rows, got 'tensor<?x4xf32>'}}
  %r = xf.embedding_vjp %x, %y : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

// xf.embedding_vjp C3
func.func @embedding_vjp_initial(%x: tensor<2xi32>, %y: tensor<2x4xf32>, %z: tensor<8x4xf32>) {
  // expected-error@+1 {{expected an initial table of type 'tensor<9x4xf32>', got 'tensor<8x4xf32>'}}
  %r = xf.embedding_vjp %x, %y onto %z : (tensor<2xi32>, tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// xf.embedding_vjp C1
func.func @embedding_vjp_rows(%x: tensor<2xi32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected d_y of shape [2, 4], got 'tensor<3x4xf32>'}}
  %r = xf.embedding_vjp %x, %y : (tensor<2xi32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// xf.cross_entropy C1
func.func @cross_entropy_scalar(%x: tensor<f32>, %y: tensor<i64>) {
  // expected-error@+1 {{expected logits of at least one class, got 'tensor<f32>'}}
  %l, %s = xf.cross_entropy %x, %y : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// xf.cross_entropy C1
func.func @cross_entropy_classes(%x: tensor<2x0xf32>, %y: tensor<2xi64>) {
  // expected-error@+1 {{expected logits of at least one class, got 'tensor<2x0xf32>'}}
  %l, %s = xf.cross_entropy %x, %y : (tensor<2x0xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>)
  return
}

// -----

// xf.cross_entropy C1
func.func @cross_entropy_targets(%x: tensor<2x9xf32>, %y: tensor<3xi64>) {
  // expected-error@+1 {{expected targets of shape [2], got 'tensor<3xi64>'}}
  %l, %s = xf.cross_entropy %x, %y : (tensor<2x9xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<2xf32>)
  return
}

// -----

// xf.cross_entropy C1
func.func @cross_entropy_loss(%x: tensor<2x9xf32>, %y: tensor<2xi64>) {
  // expected-error@+1 {{expected a loss of shape [], got 'tensor<2xf32>'}}
  %l, %s = xf.cross_entropy %x, %y : (tensor<2x9xf32>, tensor<2xi64>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// xf.cross_entropy C1
func.func @cross_entropy_lse(%x: tensor<2x9xf32>, %y: tensor<2xi64>) {
  // expected-error@+1 {{expected lse of shape [2], got 'tensor<9xf32>'}}
  %l, %s = xf.cross_entropy %x, %y : (tensor<2x9xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<9xf32>)
  return
}

// -----

// xf.cross_entropy_vjp C2
func.func @cross_entropy_vjp_gradient(%x: tensor<2x9xf32>, %y: tensor<2xi64>, %z: tensor<2xf32>, %w: tensor<f32>) {
  // expected-error@+1 {{expected d_logits of shape [2, 9], got 'tensor<2x8xf32>'}}
  %d = xf.cross_entropy_vjp %x, %y, %z, %w : (tensor<2x9xf32>, tensor<2xi64>, tensor<2xf32>, tensor<f32>) -> tensor<2x8xf32>
  return
}

// -----

// xf.cross_entropy_vjp C1
func.func @cross_entropy_vjp_cotangent(%x: tensor<2x9xf32>, %y: tensor<2xi64>, %z: tensor<2xf32>, %w: tensor<1xf32>) {
  // expected-error@+1 {{expected d_loss of shape [], got 'tensor<1xf32>'}}
  %d = xf.cross_entropy_vjp %x, %y, %z, %w : (tensor<2x9xf32>, tensor<2xi64>, tensor<2xf32>, tensor<1xf32>) -> tensor<2x9xf32>
  return
}

// -----

// xf.embedding_vjp C2
func.func @embedding_vjp_type(%x: tensor<2xi32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{expected one element type, got 'f64' and 'f32'}}
  %r = xf.embedding_vjp %x, %y : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf64>
  return
}

// -----

// xf.cross_entropy_vjp C2
func.func @cross_entropy_vjp_type(%x: tensor<2x9xf32>, %y: tensor<2xi64>, %z: tensor<2xf32>, %w: tensor<f32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  %d = xf.cross_entropy_vjp %x, %y, %z, %w : (tensor<2x9xf32>, tensor<2xi64>, tensor<2xf32>, tensor<f32>) -> tensor<2x9xf16>
  return
}
