// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.add C1
func.func @add_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.add C1
func.func @add_result(%x: tensor<2x1xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected a result of shape [2, 3], got 'tensor<2x2xf32>'}}
  %r = xf.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// xf.add C2
func.func @add_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.add C2
func.func @add_booleans(%x: tensor<2xi1>) {
  // expected-error@+1 {{expected numbers, got 'tensor<2xi1>'}}
  %r = xf.add %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// xf.div C3
func.func @div_integers(%x: tensor<2xi32>) {
  // expected-error@+1 {{expected floats, got 'i32'}}
  %r = xf.div %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// xf.sub C1
func.func @sub_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.sub %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.sub C2
func.func @sub_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.sub %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.mul C1
func.func @mul_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.mul %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.mul C2
func.func @mul_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.mul %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// xf.div C1
func.func @div_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast, got 'tensor<2xf32>', 'tensor<3xf32>'}}
  %r = xf.div %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// xf.div C2
func.func @div_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f64'}}
  %r = xf.div %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
