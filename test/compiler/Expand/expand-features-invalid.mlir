// RUN: xf-opt %s -xf-expand-features -split-input-file -verify-diagnostics

func.func @embedding(%x: tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) {
      %id = xf.cast %row : tensor<3xf32> to tensor<3xi32>
      %table = arith.constant dense<1.0> : tensor<9x2xf32>
      // expected-error@+1 {{not implemented: this op in a feature region, where element-wise ops, linear and matmul by a captured matrix, softmax, norms, reduce, concat, reshape, transpose, slice and broadcast are}}
      %y = xf.embedding %table, %id : (tensor<9x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
      %phi = xf.reduce sum %y axes [1] : tensor<3x2xf32> -> tensor<3xf32>
      xf.yield %phi : tensor<3xf32>
    } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// -----

func.func @row_as_weight(%x: tensor<1x2x4x3xf32>, %s: tensor<3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) captures(%w = %s : tensor<3xf32>) {
      // expected-error@+1 {{not implemented: this op in a feature region, where element-wise ops, linear and matmul by a captured matrix, softmax, norms, reduce, concat, reshape, transpose, slice and broadcast are}}
      %u = xf.rms_norm %w weight(%row : tensor<3xf32>) eps 1.0e-5 : tensor<3xf32> -> tensor<3xf32>
      xf.yield %u : tensor<3xf32>
    } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// -----

func.func @constant(%x: tensor<1x2x4x3xf32>, %s: tensor<3xf32>) -> tensor<1x2x4x3xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<3xf32>) captures(%w = %s : tensor<3xf32>) {
      // expected-error@+1 {{expected features that depend on the row}}
      xf.yield %w : tensor<3xf32>
    } : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}
