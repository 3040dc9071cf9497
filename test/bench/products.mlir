// The products of ViT-B and GPT-2 small: Y[M, N] = X[M, K] W[N, K]^T, plain, with bias, with bias and GELU.
//
//   for entry in plain_197x768x3072 ..; do xf-bench products.mlir --entry=$entry; done     or: products.sh

func.func @plain_197x768x3072(%x: tensor<197x768xf32> {xf.name = "x"}, %w: tensor<3072x768xf32> {xf.parameter = "w_3072x768"}) -> (tensor<197x3072xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<197x768xf32>, tensor<3072x768xf32>) -> tensor<197x3072xf32>
  return %y : tensor<197x3072xf32>
}
func.func @bias_197x768x3072(%x: tensor<197x768xf32> {xf.name = "x"}, %w: tensor<3072x768xf32> {xf.parameter = "w_3072x768"}, %b: tensor<3072xf32> {xf.parameter = "b_3072"}) -> (tensor<197x3072xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<3072xf32>) : (tensor<197x768xf32>, tensor<3072x768xf32>) -> tensor<197x3072xf32>
  return %y : tensor<197x3072xf32>
}
func.func @gelu_197x768x3072(%x: tensor<197x768xf32> {xf.name = "x"}, %w: tensor<3072x768xf32> {xf.parameter = "w_3072x768"}, %b: tensor<3072xf32> {xf.parameter = "b_3072"}) -> (tensor<197x3072xf32> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<3072xf32>) : (tensor<197x768xf32>, tensor<3072x768xf32>) -> tensor<197x3072xf32>
  %y = xf.gelu %h form tanh : tensor<197x3072xf32>
  return %y : tensor<197x3072xf32>
}
func.func @plain_197x3072x768(%x: tensor<197x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}) -> (tensor<197x768xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<197x3072xf32>, tensor<768x3072xf32>) -> tensor<197x768xf32>
  return %y : tensor<197x768xf32>
}
func.func @bias_197x3072x768(%x: tensor<197x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}, %b: tensor<768xf32> {xf.parameter = "b_768"}) -> (tensor<197x768xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<768xf32>) : (tensor<197x3072xf32>, tensor<768x3072xf32>) -> tensor<197x768xf32>
  return %y : tensor<197x768xf32>
}
func.func @gelu_197x3072x768(%x: tensor<197x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}, %b: tensor<768xf32> {xf.parameter = "b_768"}) -> (tensor<197x768xf32> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<768xf32>) : (tensor<197x3072xf32>, tensor<768x3072xf32>) -> tensor<197x768xf32>
  %y = xf.gelu %h form tanh : tensor<197x768xf32>
  return %y : tensor<197x768xf32>
}
func.func @plain_1024x768x2304(%x: tensor<1024x768xf32> {xf.name = "x"}, %w: tensor<2304x768xf32> {xf.parameter = "w_2304x768"}) -> (tensor<1024x2304xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<1024x768xf32>, tensor<2304x768xf32>) -> tensor<1024x2304xf32>
  return %y : tensor<1024x2304xf32>
}
func.func @bias_1024x768x2304(%x: tensor<1024x768xf32> {xf.name = "x"}, %w: tensor<2304x768xf32> {xf.parameter = "w_2304x768"}, %b: tensor<2304xf32> {xf.parameter = "b_2304"}) -> (tensor<1024x2304xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<2304xf32>) : (tensor<1024x768xf32>, tensor<2304x768xf32>) -> tensor<1024x2304xf32>
  return %y : tensor<1024x2304xf32>
}
func.func @gelu_1024x768x2304(%x: tensor<1024x768xf32> {xf.name = "x"}, %w: tensor<2304x768xf32> {xf.parameter = "w_2304x768"}, %b: tensor<2304xf32> {xf.parameter = "b_2304"}) -> (tensor<1024x2304xf32> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<2304xf32>) : (tensor<1024x768xf32>, tensor<2304x768xf32>) -> tensor<1024x2304xf32>
  %y = xf.gelu %h form tanh : tensor<1024x2304xf32>
  return %y : tensor<1024x2304xf32>
}
func.func @plain_1024x3072x768(%x: tensor<1024x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}) -> (tensor<1024x768xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w : (tensor<1024x3072xf32>, tensor<768x3072xf32>) -> tensor<1024x768xf32>
  return %y : tensor<1024x768xf32>
}
func.func @bias_1024x3072x768(%x: tensor<1024x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}, %b: tensor<768xf32> {xf.parameter = "b_768"}) -> (tensor<1024x768xf32> {xf.name = "y"}) {
  %y = xf.linear %x, %w bias(%b : tensor<768xf32>) : (tensor<1024x3072xf32>, tensor<768x3072xf32>) -> tensor<1024x768xf32>
  return %y : tensor<1024x768xf32>
}
func.func @gelu_1024x3072x768(%x: tensor<1024x3072xf32> {xf.name = "x"}, %w: tensor<768x3072xf32> {xf.parameter = "w_768x3072"}, %b: tensor<768xf32> {xf.parameter = "b_768"}) -> (tensor<1024x768xf32> {xf.name = "y"}) {
  %h = xf.linear %x, %w bias(%b : tensor<768xf32>) : (tensor<1024x3072xf32>, tensor<768x3072xf32>) -> tensor<1024x768xf32>
  %y = xf.gelu %h form tanh : tensor<1024x768xf32>
  return %y : tensor<1024x768xf32>
}
