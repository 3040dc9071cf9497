// RUN: xf-sweep %s --vjp N=1,7 D=1,33,80,256 T=f32,f64
// RUN: xf-sweep %s --vjp N=?,13 D=5,? T=f32,bf16,f16 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=512 N=7 D=33 T=f32

// Rows, reductions, the loss.

func.func @softmax$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.softmax %x : tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @layer_norm$$(%x: tensor<$Nx$Dx$T>, %w: tensor<$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.layer_norm %x weight(%w : tensor<$Dx$T>) bias(%b : tensor<$Dx$T>) eps 1.0e-2 : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @layer_norm_bias$$(%x: tensor<$Nx$Dx$T>, %b: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.layer_norm %x bias(%b : tensor<$Dx$T>) eps 1.0e-2 : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @layer_norm_plain$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.layer_norm %x eps 1.0e-2 : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @rms_norm$$(%x: tensor<$Nx$Dx$T>, %w: tensor<$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.rms_norm %x weight(%w : tensor<$Dx$T>) eps 1.0e-2 : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @rms_norm_plain$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.rms_norm %x eps 1.0e-2 : tensor<$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sum_0$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.reduce sum %x axes [0] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @sum_1$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Dx$T> {
  %y = xf.reduce sum %x axes [1] : tensor<3x$Nx$Dx$T> -> tensor<3x$Dx$T>
  return %y : tensor<3x$Dx$T>
}
func.func @sum_2$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Nx$T> {
  %y = xf.reduce sum %x axes [2] : tensor<3x$Nx$Dx$T> -> tensor<3x$Nx$T>
  return %y : tensor<3x$Nx$T>
}
func.func @sum_01$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Dx$T> {
  %y = xf.reduce sum %x axes [0, 1] : tensor<3x$Nx$Dx$T> -> tensor<$Dx$T>
  return %y : tensor<$Dx$T>
}
func.func @sum_12$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$T> {
  %y = xf.reduce sum %x axes [1, 2] : tensor<3x$Nx$Dx$T> -> tensor<3x$T>
  return %y : tensor<3x$T>
}
func.func @sum_02$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$T> {
  %y = xf.reduce sum %x axes [0, 2] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$T>
  return %y : tensor<$Nx$T>
}
func.func @sum_012$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$T> {
  %y = xf.reduce sum %x axes [0, 1, 2] : tensor<3x$Nx$Dx$T> -> tensor<$T>
  return %y : tensor<$T>
}
func.func @mean_0$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.reduce mean %x axes [0] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @mean_1$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Dx$T> {
  %y = xf.reduce mean %x axes [1] : tensor<3x$Nx$Dx$T> -> tensor<3x$Dx$T>
  return %y : tensor<3x$Dx$T>
}
func.func @mean_2$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Nx$T> {
  %y = xf.reduce mean %x axes [2] : tensor<3x$Nx$Dx$T> -> tensor<3x$Nx$T>
  return %y : tensor<3x$Nx$T>
}
func.func @mean_01$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Dx$T> {
  %y = xf.reduce mean %x axes [0, 1] : tensor<3x$Nx$Dx$T> -> tensor<$Dx$T>
  return %y : tensor<$Dx$T>
}
func.func @mean_12$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$T> {
  %y = xf.reduce mean %x axes [1, 2] : tensor<3x$Nx$Dx$T> -> tensor<3x$T>
  return %y : tensor<3x$T>
}
func.func @mean_02$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$T> {
  %y = xf.reduce mean %x axes [0, 2] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$T>
  return %y : tensor<$Nx$T>
}
func.func @mean_012$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$T> {
  %y = xf.reduce mean %x axes [0, 1, 2] : tensor<3x$Nx$Dx$T> -> tensor<$T>
  return %y : tensor<$T>
}
func.func @max_0$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$Dx$T> {
  %y = xf.reduce max %x axes [0] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$Dx$T>
  return %y : tensor<$Nx$Dx$T>
}
func.func @max_1$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Dx$T> {
  %y = xf.reduce max %x axes [1] : tensor<3x$Nx$Dx$T> -> tensor<3x$Dx$T>
  return %y : tensor<3x$Dx$T>
}
func.func @max_2$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$Nx$T> {
  %y = xf.reduce max %x axes [2] : tensor<3x$Nx$Dx$T> -> tensor<3x$Nx$T>
  return %y : tensor<3x$Nx$T>
}
func.func @max_01$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Dx$T> {
  %y = xf.reduce max %x axes [0, 1] : tensor<3x$Nx$Dx$T> -> tensor<$Dx$T>
  return %y : tensor<$Dx$T>
}
func.func @max_12$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<3x$T> {
  %y = xf.reduce max %x axes [1, 2] : tensor<3x$Nx$Dx$T> -> tensor<3x$T>
  return %y : tensor<3x$T>
}
func.func @max_02$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$Nx$T> {
  %y = xf.reduce max %x axes [0, 2] : tensor<3x$Nx$Dx$T> -> tensor<$Nx$T>
  return %y : tensor<$Nx$T>
}
func.func @max_012$$(%x: tensor<3x$Nx$Dx$T>) -> tensor<$T> {
  %y = xf.reduce max %x axes [0, 1, 2] : tensor<3x$Nx$Dx$T> -> tensor<$T>
  return %y : tensor<$T>
}
func.func @sum_of_transposed$$(%x: tensor<$Nx$Dx$T>) -> tensor<$Dx$T> {
  %t = xf.transpose %x permutation [1, 0] : tensor<$Nx$Dx$T> to tensor<$Dx$Nx$T>
  %y = xf.reduce sum %t axes [1] : tensor<$Dx$Nx$T> -> tensor<$Dx$T>
  return %y : tensor<$Dx$T>
}
