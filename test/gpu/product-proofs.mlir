// What ptxas makes of products by warpgroups: nothing is spilled or serialised, and products of a stage follow each other.
// REQUIRES: ptxas
// RUN: %prove %s --arch=sm_90a --kernel=matmul --no-spills --as-expected --no-notes --back-to-back=7
// RUN: %prove %s --arch=sm_80 --kernel=matmul --no-spills

// Both operands in each order, and what a layer does with the sums.
func.func @layer(%x: tensor<8192x4096xbf16>, %w: tensor<16384x4096xbf16>, %b: tensor<16384xbf16>) -> tensor<8192x16384xbf16> {
  %y = xf.linear %x, %w bias(%b : tensor<16384xbf16>) : (tensor<8192x4096xbf16>, tensor<16384x4096xbf16>) -> tensor<8192x16384xbf16>
  %z = xf.gelu %y form tanh : tensor<8192x16384xbf16>
  return %z : tensor<8192x16384xbf16>
}
func.func @gradient_of_weights(%x: tensor<8192x1536xbf16>, %d: tensor<8192x2048xbf16>) -> tensor<1536x2048xbf16> {
  %y = xf.matmul %x transposed, %d : (tensor<8192x1536xbf16>, tensor<8192x2048xbf16>) -> tensor<1536x2048xbf16>
  return %y : tensor<1536x2048xbf16>
}
func.func @gradient_of_inputs(%d: tensor<?x3072xf16>, %w: tensor<3072x768xf16>) -> tensor<?x768xf16> {
  %y = xf.matmul %d, %w : (tensor<?x3072xf16>, tensor<3072x768xf16>) -> tensor<?x768xf16>
  return %y : tensor<?x768xf16>
}
