func.func @rms_norm(%x: tensor<16x512xf32>) -> tensor<16x512xf32> {
  %y = xf.rms_norm %x eps 1.0e-5 : tensor<16x512xf32> -> tensor<16x512xf32>
  return %y : tensor<16x512xf32>
}
