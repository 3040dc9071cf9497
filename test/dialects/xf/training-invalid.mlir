// RUN: xf-opt %s -split-input-file -verify-diagnostics

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

// xf.sgd C3
func.func @sgd_velocity(%x: tensor<4xf32>, %y: tensor<5xf32>, %r: tensor<f32>) {
  // expected-error@+1 {{failed to verify that all of {velocity, new_velocity} have same type}}
  %p, %v = "xf.sgd"(%x, %x, %y, %r, %r) {momentum = 0.9, weight_decay = 0.0} : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
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
