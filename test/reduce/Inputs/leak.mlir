// A window that sees a later key in a function that promises not to, and ops that do not matter.
func.func @other(%x: tensor<4xf32> {xf.name = "x"}) -> (tensor<4xf32> {xf.name = "y"}) {
  return %x : tensor<4xf32>
}
func.func @attend(%x: tensor<1x2x24x8xf32> {xf.name = "x"}, %k: tensor<1x2x24x8xf32> {xf.name = "k"})
    -> (tensor<1x2x24x8xf32> {xf.name = "y"}, tensor<1x2x24x8xf32> {xf.name = "z"}) attributes {xf.autoregressive} {
  %q = xf.gelu %x form tanh : tensor<1x2x24x8xf32>
  %o = xf.attention %q, %k, %k pattern(#xf.window<left = 4, right = 1>) scale 0.25
    : (tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>) -> tensor<1x2x24x8xf32>
  %z = xf.add %o, %x : (tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>) -> tensor<1x2x24x8xf32>
  return %o, %z : tensor<1x2x24x8xf32>, tensor<1x2x24x8xf32>
}
