func.func @scale(%x: tensor<4xf32> {xf.name = "x"}) -> (tensor<4xf32> {xf.name = "y"}) {
  %y = xf.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
