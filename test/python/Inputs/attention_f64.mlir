func.func @attend(%q: tensor<1x2x24x8xf64> {xf.name = "q"}, %k: tensor<1x2x24x8xf64> {xf.name = "k"}, %v: tensor<1x2x24x8xf64> {xf.name = "v"}) -> (tensor<1x2x24x8xf64> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) : (tensor<1x2x24x8xf64>, tensor<1x2x24x8xf64>, tensor<1x2x24x8xf64>) -> tensor<1x2x24x8xf64>
  return %o : tensor<1x2x24x8xf64>
}
