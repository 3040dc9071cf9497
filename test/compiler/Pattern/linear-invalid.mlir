// RUN: xf-opt --xf-solve-patterns -split-input-file -verify-diagnostics %s

func.func @relative_gradient(%x: tensor<1x2x4x3xf32>, %t: tensor<2x7xf32>) -> tensor<2x7xf32> {
  // expected-error @+1 {{not implemented: relative in a gradient that the program writes itself; expected feature = identity, normalizer = none and no epsilon, params, feature or decay}}
  %q, %k, %v, %d = xf.attention_vjp %x, %x, %x, %x, %x pattern(#xf.kernelized<feature = elu>) relative(%t : tensor<2x7xf32>)
    : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
    -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) relative(tensor<2x7xf32>)
  return %d : tensor<2x7xf32>
}
