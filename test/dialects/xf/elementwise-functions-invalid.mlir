// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.compare C2
func.func @compare_types(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  %r = xf.compare lt %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

// xf.where C2
func.func @where_types(%x: tensor<2xi1>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.where %x, %y, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

// xf.cast C1
func.func @cast_shape(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected equal shapes, got 'tensor<2xf32>' and 'tensor<3xi32>'}}
  %r = xf.cast %x : tensor<2xf32> to tensor<3xi32>
  return
}

// -----

// xf.maximum C1
func.func @maximum_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.maximum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.maximum C2
func.func @maximum_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.maximum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.minimum C1
func.func @minimum_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.minimum %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.minimum C2
func.func @minimum_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.minimum %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.pow C1
func.func @pow_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.pow %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.pow C2
func.func @pow_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.pow %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.pow C3
func.func @pow_integers(%x: tensor<2xi64>) {
  // expected-error@+1 {{expected floats, got 'i64'}}
  %r = xf.pow %x, %x : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

// xf.compare C1
func.func @compare_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.compare lt %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

// xf.where C1
func.func @where_result(%x: tensor<2xi1>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected a result of shape [2], got 'tensor<3xf32>'}}
  %r = xf.where %x, %y, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.atan2 C1
func.func @atan2_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.atan2 %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.atan2 C2
func.func @atan2_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.atan2 %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.atan2 C3
func.func @atan2_integers(%x: tensor<2xi64>) {
  // expected-error@+1 {{expected floats, got 'i64'}}
  %r = xf.atan2 %x, %x : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return
}
