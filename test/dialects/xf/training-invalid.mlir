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

// xf.dropout C1
func.func @dropout_seed(%x: tensor<2xf32>, %y: tensor<3xi64>) {
  // expected-error@+1 {{expected a seed of shape [2], got 'tensor<3xi64>'}}
  %r = xf.dropout %x seed(%y : tensor<3xi64>) p 0.5 : tensor<2xf32>
  return
}

// -----

// xf.dropout C2
func.func @dropout_probability(%x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error@+1 {{expected p in [0, 1], got 1.5}}
  %r = xf.dropout %x seed(%y : tensor<2xi64>) p 1.5 : tensor<2xf32>
  return
}

// -----

// xf.clip_scale C1
func.func @clip_scale_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a scale of shape [], got 'tensor<1xf32>'}}
  %r = xf.clip_scale %x max_norm 1.0 : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

// xf.clip_scale C2
func.func @clip_scale_norm(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected max_norm >= 0, got -1}}
  %r = xf.clip_scale %x max_norm -1.0 : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

// xf.clip_scale C1
func.func @clip_scale_none() {
  // expected-error@+1 {{expected at least one gradient, got none}}
  %r = "xf.clip_scale"() {max_norm = 1.0 : f64} : () -> tensor<f32>
  return
}

// -----

// xf.adamw C1
func.func @adamw_rate(%x: tensor<4xf32>, %y: tensor<1xf32>, %z: tensor<i64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected a rate of shape [], got 'tensor<1xf32>'}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, 0.999 eps 1.0e-8 decay 0.1 : tensor<4xf32>, tensor<1xf32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C1
func.func @adamw_step(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<2xi64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected a step of shape [], got 'tensor<2xi64>'}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, 0.999 eps 1.0e-8 decay 0.1 : tensor<4xf32>, tensor<f32>, tensor<2xi64>, tensor<f32>
  return
}

// -----

// xf.adamw C1
func.func @adamw_clip(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<i64>, %w: tensor<4xf32>) {
  // expected-error@+1 {{expected a clip of shape [], got 'tensor<4xf32>'}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, 0.999 eps 1.0e-8 decay 0.1 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<4xf32>
  return
}

// -----

// xf.adamw C2
func.func @adamw_beta1(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<i64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected beta1 in [0, 1), got 1.0}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 1.0, 0.999 eps 1.0e-8 decay 0.1 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C2
func.func @adamw_beta2(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<i64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected beta2 in [0, 1), got -0.5}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, -0.5 eps 1.0e-8 decay 0.1 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C2
func.func @adamw_eps(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<i64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected eps >= 0, got -1}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, 0.999 eps -1.0 decay 0.1 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C2
func.func @adamw_decay(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<i64>, %w: tensor<f32>) {
  // expected-error@+1 {{expected decay >= 0, got NaN}}
  %p, %m, %v = xf.adamw %x, %x, %x, %x rate %y step %z clip %w betas 0.9, 0.999 eps 1.0e-8 decay 0x7FF8000000000000 : tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.sgd C1
func.func @sgd_rate(%x: tensor<4xf32>, %y: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{expected a rate of shape [], got 'tensor<2xf32>'}}
  %p, %v = xf.sgd %x, %x, %x rate %y clip %z momentum 0.9 decay 0.0 : tensor<4xf32>, tensor<2xf32>, tensor<f32>
  return
}

// -----

// xf.sgd C2
func.func @sgd_momentum(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error@+1 {{expected momentum >= 0, got -0.90000000000000002}}
  %p, %v = xf.sgd %x, %x, %x rate %y clip %y momentum -0.9 decay 0.0 : tensor<4xf32>, tensor<f32>, tensor<f32>
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

// -----

// xf.sgd C1
func.func @sgd_clip(%x: tensor<4xf32>, %y: tensor<f32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{expected a clip of shape [], got 'tensor<1xf32>'}}
  %p, %v = xf.sgd %x, %x, %x rate %y clip %z momentum 0.9 decay 0.0 : tensor<4xf32>, tensor<f32>, tensor<1xf32>
  return
}

// -----

// xf.sgd C2
func.func @sgd_decay(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error@+1 {{expected decay >= 0, got -1}}
  %p, %v = xf.sgd %x, %x, %x rate %y clip %y momentum 0.9 decay -1.0 : tensor<4xf32>, tensor<f32>, tensor<f32>
  return
}

// -----

// xf.adamw C3
func.func @adamw_moments(%x: tensor<4xf32>, %y: tensor<5xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{failed to verify that all of {first, second, new_first, new_second} have same type}}
  %p, %m, %v = "xf.adamw"(%x, %x, %x, %y, %r, %t, %r) {beta1 = 0.9, beta2 = 0.9, eps = 0.0, weight_decay = 0.0} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.sgd C3
func.func @sgd_velocity(%x: tensor<4xf32>, %y: tensor<5xf32>, %r: tensor<f32>) {
  // expected-error@+1 {{failed to verify that all of {velocity, new_velocity} have same type}}
  %p, %v = "xf.sgd"(%x, %x, %y, %r, %r) {momentum = 0.9, weight_decay = 0.0} : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.adamw C3
func.func @adamw_gradient(%x: tensor<4xbf16>, %y: tensor<4xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{failed to verify that all of {parameter, gradient, new_parameter} have same type}}
  %p, %m, %v, %n = "xf.adamw"(%x, %y, %y, %y, %r, %t, %r, %y) {beta1 = 0.9, beta2 = 0.9, eps = 0.0, weight_decay = 0.0} : (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.adamw C4
func.func @adamw_wide_moments(%x: tensor<4xbf16>, %y: tensor<4xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{expected state of the parameter's type 'tensor<4xbf16>', got 'tensor<4xf32>'}}
  %p, %m, %v = "xf.adamw"(%x, %x, %y, %y, %r, %t, %r) {beta1 = 0.9, beta2 = 0.9, eps = 0.0, weight_decay = 0.0} : (tensor<4xbf16>, tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.adamw C5
func.func @adamw_master_of_f32(%x: tensor<4xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{expected a master of f16 or bf16 only, got one of 'f32'}}
  %p, %m, %v, %n = xf.adamw %x, %x, %x, %x master %x rate %r step %t clip %r betas 0.9, 0.9 eps 0.0 decay 0.0 : tensor<4xf32> master tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C5
func.func @adamw_master_shape(%x: tensor<4xf16>, %y: tensor<5xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{expected master, new master and state of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %p, %m, %v, %n = xf.adamw %x, %x, %y, %y master %y rate %r step %t clip %r betas 0.9, 0.9 eps 0.0 decay 0.0 : tensor<4xf16> master tensor<5xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return
}

// -----

// xf.adamw C5
func.func @adamw_new_master(%x: tensor<4xf16>, %y: tensor<4xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{expected master, new master and state of type 'tensor<4xf32>', got 'none'}}
  %p, %m, %v = "xf.adamw"(%x, %x, %y, %y, %r, %t, %r, %y) {beta1 = 0.9, beta2 = 0.9, eps = 0.0, weight_decay = 0.0} : (tensor<4xf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// xf.sgd C4
func.func @sgd_wide_velocity(%x: tensor<4xbf16>, %y: tensor<4xf32>, %r: tensor<f32>) {
  // expected-error@+1 {{expected state of the parameter's type 'tensor<4xbf16>', got 'tensor<4xf32>'}}
  %p, %v = "xf.sgd"(%x, %x, %y, %r, %r) {momentum = 0.9, weight_decay = 0.0} : (tensor<4xbf16>, tensor<4xbf16>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xbf16>, tensor<4xf32>)
  return
}

// -----

// xf.sgd C5
func.func @sgd_master_type(%x: tensor<4xbf16>, %y: tensor<4xf64>, %r: tensor<f32>) {
  // expected-error@+1 {{expected master, new master and state of type 'tensor<4xf32>', got 'tensor<4xf64>'}}
  %p, %v, %n = xf.sgd %x, %x, %y master %y rate %r clip %r momentum 0.9 decay 0.0 : tensor<4xbf16> master tensor<4xf64>, tensor<f32>, tensor<f32>
  return
}
