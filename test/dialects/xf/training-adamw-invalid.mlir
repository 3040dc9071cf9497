// RUN: xf-opt %s -split-input-file -verify-diagnostics

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

// xf.adamw C3
func.func @adamw_moments(%x: tensor<4xf32>, %y: tensor<5xf32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{failed to verify that all of {first, second, new_first, new_second} have same type}}
  %p, %m, %v = "xf.adamw"(%x, %x, %x, %y, %r, %t, %r) {beta1 = 0.9, beta2 = 0.9, eps = 0.0, weight_decay = 0.0} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
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
