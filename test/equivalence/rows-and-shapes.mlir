// RUN: xf-equivalence %s --vjp
// RUN: xf-equivalence %s --pipeline='func.func(xf-fuse)'
// RUN: xf-equivalence %s --vjp --pipeline='func.func(xf-fuse)' --seed=2

// Rows, shapes, embeddings, the loss.

func.func @softmax(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.softmax %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @layer_norm(%x: tensor<2x3x4xf64>, %w: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.layer_norm %x weight(%w : tensor<4xf64>) bias(%b : tensor<4xf64>) eps 1.0e-5 : tensor<2x3x4xf64> -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @layer_norm_bias(%x: tensor<3x4xf64>, %b: tensor<4xf64>) -> tensor<3x4xf64> {
  %y = xf.layer_norm %x bias(%b : tensor<4xf64>) eps 1.0e-5 : tensor<3x4xf64> -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @layer_norm_plain(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.layer_norm %x eps 1.0e-5 : tensor<3x4xf64> -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @rms_norm(%x: tensor<3x4xf64>, %w: tensor<4xf64>) -> tensor<3x4xf64> {
  %y = xf.rms_norm %x weight(%w : tensor<4xf64>) eps 1.0e-5 : tensor<3x4xf64> -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @rms_norm_plain(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.rms_norm %x eps 1.0e-5 : tensor<3x4xf64> -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @sum(%x: tensor<2x3x4xf64>) -> tensor<3xf64> {
  %y = xf.reduce sum %x axes [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @sum_all(%x: tensor<2x3xf64>) -> tensor<f64> {
  %y = xf.reduce sum %x axes [0, 1] : tensor<2x3xf64> -> tensor<f64>
  return %y : tensor<f64>
}
func.func @sum_dynamic(%x: tensor<?x4xf64>) -> tensor<4xf64> {
  %y = xf.reduce sum %x axes [0] : tensor<?x4xf64> -> tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @mean(%x: tensor<2x3x4xf64>) -> tensor<3xf64> {
  %y = xf.reduce mean %x axes [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @mean_all(%x: tensor<2x3xf64>) -> tensor<f64> {
  %y = xf.reduce mean %x axes [0, 1] : tensor<2x3xf64> -> tensor<f64>
  return %y : tensor<f64>
}
func.func @mean_dynamic(%x: tensor<?x4xf64>) -> tensor<4xf64> {
  %y = xf.reduce mean %x axes [0] : tensor<?x4xf64> -> tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @max(%x: tensor<2x3x4xf64>) -> tensor<3xf64> {
  %y = xf.reduce max %x axes [0, 2] : tensor<2x3x4xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @max_all(%x: tensor<2x3xf64>) -> tensor<f64> {
  %y = xf.reduce max %x axes [0, 1] : tensor<2x3xf64> -> tensor<f64>
  return %y : tensor<f64>
}
func.func @max_dynamic(%x: tensor<?x4xf64>) -> tensor<4xf64> {
  %y = xf.reduce max %x axes [0] : tensor<?x4xf64> -> tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @reshape(%x: tensor<3x4xf64>) -> tensor<2x6xf64> {
  %s = xf.sin %x : tensor<3x4xf64>
  %y = xf.reshape %s : tensor<3x4xf64> to tensor<2x6xf64>
  return %y : tensor<2x6xf64>
}
func.func @transpose(%x: tensor<2x3x4xf64>) -> tensor<4x2x3xf64> {
  %s = xf.sin %x : tensor<2x3x4xf64>
  %y = xf.transpose %s permutation [2, 0, 1] : tensor<2x3x4xf64> to tensor<4x2x3xf64>
  return %y : tensor<4x2x3xf64>
}
func.func @slice(%x: tensor<7x4xf64>) -> tensor<2x4xf64> {
  %s = xf.sin %x : tensor<7x4xf64>
  %y = xf.slice %s offsets [1, 0] strides [3, 1] : tensor<7x4xf64> to tensor<2x4xf64>
  return %y : tensor<2x4xf64>
}
func.func @pad(%x: tensor<2x4xf64>) -> tensor<7x4xf64> {
  %s = xf.sin %x : tensor<2x4xf64>
  %y = xf.pad %s low [1, 0] strides [3, 1] : tensor<2x4xf64> to tensor<7x4xf64>
  return %y : tensor<7x4xf64>
}
func.func @broadcast(%x: tensor<1x4xf64>) -> tensor<5x3x4xf64> {
  %s = xf.sin %x : tensor<1x4xf64>
  %y = xf.broadcast %s : tensor<1x4xf64> to tensor<5x3x4xf64>
  return %y : tensor<5x3x4xf64>
}
func.func @split_heads(%x: tensor<1x3x8xf64>) -> tensor<1x2x3x4xf64> {
  %s = xf.sin %x : tensor<1x3x8xf64>
  %y = xf.split_heads %s heads 2 : (tensor<1x3x8xf64>) -> tensor<1x2x3x4xf64>
  return %y : tensor<1x2x3x4xf64>
}
func.func @merge_heads(%x: tensor<1x2x3x4xf64>) -> tensor<1x3x8xf64> {
  %s = xf.sin %x : tensor<1x2x3x4xf64>
  %y = xf.merge_heads %s : (tensor<1x2x3x4xf64>) -> tensor<1x3x8xf64>
  return %y : tensor<1x3x8xf64>
}
func.func @pool_max(%x: tensor<2x6x4xf64>) -> tensor<2x3x4xf64> {
  %s = xf.sin %x : tensor<2x6x4xf64>
  %y = xf.pool_layers %s layers 2 kind max : (tensor<2x6x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @pool_mean(%x: tensor<2x6x4xf64>) -> tensor<2x2x4xf64> {
  %s = xf.sin %x : tensor<2x6x4xf64>
  %y = xf.pool_layers %s layers 3 kind mean : (tensor<2x6x4xf64>) -> tensor<2x2x4xf64>
  return %y : tensor<2x2x4xf64>
}
func.func @pool_last(%x: tensor<2x6x4xf64>) -> tensor<2x3x4xf64> {
  %s = xf.sin %x : tensor<2x6x4xf64>
  %y = xf.pool_layers %s layers 2 kind last : (tensor<2x6x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @concat(%a: tensor<3x2xf64>, %b: tensor<3x1xf64>, %c: tensor<3x4xf64>) -> tensor<3x7xf64> {
  %y = xf.concat %a, %b, %c axis 1 : (tensor<3x2xf64>, tensor<3x1xf64>, tensor<3x4xf64>) -> tensor<3x7xf64>
  return %y : tensor<3x7xf64>
}
func.func @stack_layers(%a: tensor<2x3x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x6x4xf64> {
  %y = xf.stack_layers %a, %b : (tensor<2x3x4xf64>, tensor<2x3x4xf64>) -> tensor<2x6x4xf64>
  return %y : tensor<2x6x4xf64>
}
func.func @parts(%x: tensor<3x6xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>) {
  %a = xf.slice %x offsets [0, 0] strides [1, 1] : tensor<3x6xf64> to tensor<3x2xf64>
  %b = xf.slice %x offsets [0, 2] strides [1, 1] : tensor<3x6xf64> to tensor<3x2xf64>
  %c = xf.slice %x offsets [0, 4] strides [1, 1] : tensor<3x6xf64> to tensor<3x2xf64>
  return %a, %b, %c : tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>
}
func.func @embedding(%table: tensor<5x4xf64>, %ids: tensor<2x7xi32> {xf.range = array<i64: 0, 4>}) -> tensor<2x7x4xf64> {
  %y = xf.embedding %table, %ids : (tensor<5x4xf64>, tensor<2x7xi32>) -> tensor<2x7x4xf64>
  return %y : tensor<2x7x4xf64>
}
func.func @cross_entropy(%x: tensor<2x3x9xf64>, %t: tensor<2x3xi64> {xf.range = array<i64: 0, 8>}) -> (tensor<f64>, tensor<2x3xf64>) {
  %loss, %lse = xf.cross_entropy %x, %t : (tensor<2x3x9xf64>, tensor<2x3xi64>) -> (tensor<f64>, tensor<2x3xf64>)
  return %loss, %lse : tensor<f64>, tensor<2x3xf64>
}
func.func @cross_entropy_ignored(%x: tensor<3x9xf64>, %t: tensor<3xi64> {xf.range = array<i64: -100, -100>}) -> tensor<f64> {
  %loss, %lse = xf.cross_entropy %x, %t : (tensor<3x9xf64>, tensor<3xi64>) -> (tensor<f64>, tensor<3xf64>)
  return %loss : tensor<f64>
}
func.func @dropout(%x: tensor<5x4xf64>, %seed: tensor<2xi64>) -> tensor<5x4xf64> {
  %s = xf.sin %x : tensor<5x4xf64>
  %y = xf.dropout %s seed(%seed : tensor<2xi64>) p 0.3 : tensor<5x4xf64>
  return %y : tensor<5x4xf64>
}
