// Row kernels of the sizes that models have: layer_norm, rms_norm, GELU, softmax, the loss, AdamW. rows.py measures them
// against PyTorch; xf-bench --entry=NAME [--vjp] measures one.

func.func @layer_norm_512x768(%x: tensor<512x768xf32> {xf.name = "x"}, %w: tensor<768xf32> {xf.name = "w"}, %b: tensor<768xf32> {xf.name = "b"}) -> (tensor<512x768xf32> {xf.name = "y"}) {
  %y = xf.layer_norm %x weight(%w : tensor<768xf32>) bias(%b : tensor<768xf32>) eps 1.0e-5 : tensor<512x768xf32> -> tensor<512x768xf32>
  return %y : tensor<512x768xf32>
}
func.func @rms_norm_512x768(%x: tensor<512x768xf32> {xf.name = "x"}, %w: tensor<768xf32> {xf.name = "w"}) -> (tensor<512x768xf32> {xf.name = "y"}) {
  %y = xf.rms_norm %x weight(%w : tensor<768xf32>) eps 1.0e-6 : tensor<512x768xf32> -> tensor<512x768xf32>
  return %y : tensor<512x768xf32>
}
func.func @softmax_512x768(%x: tensor<512x768xf32> {xf.name = "x"}) -> (tensor<512x768xf32> {xf.name = "y"}) {
  %y = xf.softmax %x : tensor<512x768xf32>
  return %y : tensor<512x768xf32>
}
func.func @layer_norm_8192x768(%x: tensor<8192x768xf32> {xf.name = "x"}, %w: tensor<768xf32> {xf.name = "w"}, %b: tensor<768xf32> {xf.name = "b"}) -> (tensor<8192x768xf32> {xf.name = "y"}) {
  %y = xf.layer_norm %x weight(%w : tensor<768xf32>) bias(%b : tensor<768xf32>) eps 1.0e-5 : tensor<8192x768xf32> -> tensor<8192x768xf32>
  return %y : tensor<8192x768xf32>
}
func.func @rms_norm_8192x768(%x: tensor<8192x768xf32> {xf.name = "x"}, %w: tensor<768xf32> {xf.name = "w"}) -> (tensor<8192x768xf32> {xf.name = "y"}) {
  %y = xf.rms_norm %x weight(%w : tensor<768xf32>) eps 1.0e-6 : tensor<8192x768xf32> -> tensor<8192x768xf32>
  return %y : tensor<8192x768xf32>
}
func.func @softmax_8192x768(%x: tensor<8192x768xf32> {xf.name = "x"}) -> (tensor<8192x768xf32> {xf.name = "y"}) {
  %y = xf.softmax %x : tensor<8192x768xf32>
  return %y : tensor<8192x768xf32>
}
func.func @gelu_tanh_512x3072(%x: tensor<512x3072xf32> {xf.name = "x"}) -> (tensor<512x3072xf32> {xf.name = "y"}) {
  %y = xf.gelu %x form tanh : tensor<512x3072xf32>
  return %y : tensor<512x3072xf32>
}
func.func @gelu_erf_512x3072(%x: tensor<512x3072xf32> {xf.name = "x"}) -> (tensor<512x3072xf32> {xf.name = "y"}) {
  %y = xf.gelu %x form erf : tensor<512x3072xf32>
  return %y : tensor<512x3072xf32>
}
func.func @cross_entropy_128x50257(%x: tensor<128x50257xf32> {xf.name = "x"}, %t: tensor<128xi64> {xf.name = "t", xf.range = array<i64: 0, 50256>}) -> (tensor<f32> {xf.name = "loss"}) {
  %l, %lse = xf.cross_entropy %x, %t : (tensor<128x50257xf32>, tensor<128xi64>) -> (tensor<f32>, tensor<128xf32>)
  return %l : tensor<f32>
}
func.func @cross_entropy_512x256(%x: tensor<512x256xf32> {xf.name = "x"}, %t: tensor<512xi64> {xf.name = "t", xf.range = array<i64: 0, 255>}) -> (tensor<f32> {xf.name = "loss"}) {
  %l, %lse = xf.cross_entropy %x, %t : (tensor<512x256xf32>, tensor<512xi64>) -> (tensor<f32>, tensor<512xf32>)
  return %l : tensor<f32>
}
func.func @adamw(%p: tensor<4096x4096xf32> {xf.name = "p"}, %g: tensor<4096x4096xf32> {xf.name = "g"}, %m: tensor<4096x4096xf32> {xf.name = "m"}, %v: tensor<4096x4096xf32> {xf.name = "v"},
                 %rate: tensor<f32> {xf.name = "rate"}, %step: tensor<i64> {xf.name = "step", xf.range = array<i64: 1, 1000000>})
    -> (tensor<4096x4096xf32> {xf.name = "new_p", xf.updates = "p"}, tensor<4096x4096xf32> {xf.name = "new_m", xf.updates = "m"}, tensor<4096x4096xf32> {xf.name = "new_v", xf.updates = "v"}) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %p1, %m1, %v1 = xf.adamw %p, %g, %m, %v rate %rate step %step clip %one betas 0.9, 0.999 eps 1.0e-8 decay 0.01 : tensor<4096x4096xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %p1, %m1, %v1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>
}
func.func @clipped_adamw(%p: tensor<4096x4096xf32> {xf.name = "p"}, %g: tensor<4096x4096xf32> {xf.name = "g"}, %m: tensor<4096x4096xf32> {xf.name = "m"}, %v: tensor<4096x4096xf32> {xf.name = "v"},
                         %rate: tensor<f32> {xf.name = "rate"}, %step: tensor<i64> {xf.name = "step", xf.range = array<i64: 1, 1000000>})
    -> (tensor<4096x4096xf32> {xf.name = "new_p", xf.updates = "p"}, tensor<4096x4096xf32> {xf.name = "new_m", xf.updates = "m"}, tensor<4096x4096xf32> {xf.name = "new_v", xf.updates = "v"}) {
  %clip = xf.clip_scale %g max_norm 1.0 : (tensor<4096x4096xf32>) -> tensor<f32>
  %p1, %m1, %v1 = xf.adamw %p, %g, %m, %v rate %rate step %step clip %clip betas 0.9, 0.999 eps 1.0e-8 decay 0.01 : tensor<4096x4096xf32>, tensor<f32>, tensor<i64>, tensor<f32>
  return %p1, %m1, %v1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>
}
