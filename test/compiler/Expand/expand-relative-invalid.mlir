// RUN: xf-opt %s -xf-expand-relative -split-input-file -verify-diagnostics

func.func @decay(%x: tensor<1x2x4x3xf32>, %a: tensor<1x2x4xf32>, %t: tensor<2x7xf32>) -> tensor<1x2x4x3xf32> {
  // expected-error@+1 {{not implemented: relative with decay}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.causal>) decay(%a : tensor<1x2x4xf32>) relative(%t : tensor<2x7xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  return %o : tensor<1x2x4x3xf32>
}

// -----

func.func @heads(%x: tensor<1x?x4x3xf32>, %t: tensor<?x7xf32>) -> tensor<1x?x4x3xf32> {
  // expected-error@+1 {{expected a static number and size of heads with relative, got 'tensor<1x?x4x3xf32>'}}
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<?x7xf32>)
    : (tensor<1x?x4x3xf32>, tensor<1x?x4x3xf32>, tensor<1x?x4x3xf32>) -> tensor<1x?x4x3xf32>
  return %o : tensor<1x?x4x3xf32>
}
