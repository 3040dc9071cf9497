func.func @attend(%q: tensor<1x2x100x32xf32> {xf.name = "q"}, %k: tensor<1x2x100x32xf32> {xf.name = "k"}, %v: tensor<1x2x100x32xf32> {xf.name = "v"}) -> (tensor<1x2x100x32xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8>) : (tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>) -> tensor<1x2x100x32xf32>
  return %o : tensor<1x2x100x32xf32>
}
