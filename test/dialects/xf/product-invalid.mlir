// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xf.product C1
func.func @depth(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{expected equal sizes to sum over, got 3 and 5}}
  %y = xf.product %x, %w transposed epilogue(%p : f32) { xf.yield %p : f32 } : (tensor<2x3xf32>, tensor<4x5xf32>) -> (tensor<2x4xf32>)
  return %y : tensor<2x4xf32>
}

// -----

// xf.product C1
func.func @rank(%x: tensor<3xf32>, %w: tensor<4x3xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected factors of rank 2 or more, got 'tensor<3xf32>' and 'tensor<4x3xf32>'}}
  %y = xf.product %x, %w transposed epilogue(%p : f32) { xf.yield %p : f32 } : (tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4xf32>)
  return %y : tensor<4xf32>
}

// -----

// xf.product C1
func.func @shape(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{expected results of shape [2, 4], got 'tensor<2x5xf32>'}}
  %y = xf.product %x, %w transposed epilogue(%p : f32) { xf.yield %p : f32 } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x5xf32>)
  return %y : tensor<2x5xf32>
}

// -----

// xf.product C1
func.func @leading(%x: tensor<2x2x3xf32>, %w: tensor<7x3x4xf32>) -> tensor<2x2x4xf32> {
  // expected-error@+1 {{expected equal leading sizes, got 'tensor<2x2x3xf32>' and 'tensor<7x3x4xf32>'}}
  %y = xf.product %x, %w epilogue(%p : f32) { xf.yield %p : f32 } : (tensor<2x2x3xf32>, tensor<7x3x4xf32>) -> (tensor<2x2x4xf32>)
  return %y : tensor<2x2x4xf32>
}

// -----

// xf.product C2
func.func @extra(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<5xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{expected an extra operand that broadcasts to [2, 4], got 'tensor<5xf32>'}}
  %y = xf.product %x, %w transposed epilogue(%p : f32, %c = %b : tensor<5xf32>) { xf.yield %p : f32 } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x4xf32>)
  return %y : tensor<2x4xf32>
}

// -----

// xf.product C3
func.func @accumulator(%x: tensor<2x3xbf16>, %w: tensor<4x3xbf16>) -> tensor<2x4xbf16> {
  // expected-error@+1 {{expected an epilogue that takes 1 'f32', got 'bf16'}}
  %y = xf.product %x, %w transposed epilogue(%p : bf16) { xf.yield %p : bf16 } : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4xbf16>)
  return %y : tensor<2x4xbf16>
}

// -----

// xf.product C3
func.func @results(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{expected an epilogue that yields 1 'f32', got 'f32', 'f32'}}
  %y = xf.product %x, %w transposed epilogue(%p : f32) { xf.yield %p, %p : f32, f32 } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x4xf32>)
  return %y : tensor<2x4xf32>
}

// -----

// xf.product C4
func.func @region(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %y = xf.product %x, %w transposed epilogue(%p : f32) {
    // expected-error@+1 {{expected an element-wise arith or math op inside xf.product}}
    %t = tensor.from_elements %p : tensor<1xf32>
    xf.yield %p : f32
  } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x4xf32>)
  return %y : tensor<2x4xf32>
}

// -----

// xf.product C3
func.func @product_of_f64(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf64>) {
  // expected-error@+1 {{expected extra operands and results that are computed in 'f32', got 'f64'}}
  %y = xf.product %a, %b epilogue(%p : f32, %e = %c : tensor<2x4xf64>) {
    %s = arith.addf %p, %e : f32
    xf.yield %s : f32
  } : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
  return
}
