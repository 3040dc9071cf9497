func.func @attend(%q: tensor<2x4x64x8xf32> {xf.name = "q"}, %k: tensor<2x4x64x8xf32> {xf.name = "k"}, %v: tensor<2x4x64x8xf32> {xf.name = "v"}) -> (tensor<2x4x64x8xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.window<left = 15>) : (tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>) -> tensor<2x4x64x8xf32>
  return %o : tensor<2x4x64x8xf32>
}
