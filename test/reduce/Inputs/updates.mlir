// An input that a call replaces, and does not read.
func.func @f(%x: tensor<4xf32> {xf.name = "x"}, %n: tensor<4xf32> {xf.name = "n"})
    -> (tensor<4xf32> {xf.name = "y"}, tensor<4xf32> {xf.name = "m", xf.updates = "n"}) {
  %a = xf.exp %x : tensor<4xf32>
  %b = xf.add %a, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
