// RUN: xf-opt %s -split-input-file -xf-gradient=entry=f -verify-diagnostics

func.func @f(%x: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error@+1 {{expected an op that has a gradient, got 'tensor.extract_slice'}}
  %y = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  return %y : tensor<1xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{expected an op that has a derivative, got 'math.atanh'}}
    %b = math.atanh %a : f32
    xf.yield %b : f32
  }
  return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a function 'f' to differentiate, got none of this name}}
module {}

// -----

// expected-note@+1 {{'f' is differentiated}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error@+1 {{expected no 'f_vjp' beside 'f', got one already}}
func.func @f_vjp(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a function of one block, got 2}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
^next:
  return %x : tensor<4xf32>
}

// -----

// Sizes of a private function are not known unless xf.dims says what they are.
func.func private @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{expected static sizes where a differentiated slice takes a part, got 'tensor<?x4xf32>'}}
  %y = xf.slice %x offsets [1, 0] strides [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func private @f(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{expected known sizes along the axis of a differentiated concat, got 'tensor<?x4xf32>'}}
  %z = xf.concat %x, %y axis 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

func.func private @f(%x: tensor<?x?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{expected a reshape whose inverse has at most one dynamic size of its own, got 'tensor<?x4xf32>' back to 'tensor<?x?x4xf32>'}}
  %z = xf.reshape %x : tensor<?x?x4xf32> to tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected a function that does not differentiate itself, got @f}}
  %y, %d = xf.gradient @f(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %d : tensor<f32>
}
