// Kernelised and low-rank attention, H = 2, D = 64, m = r = 256; entries end in the number of tokens.
func.func @favor_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<256x64xf32>) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @favor_causal_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @relu_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu>) params(%w : tensor<256x64xf32>) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @relu_causal_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @low_rank_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}, %e: tensor<1024x256xf32> {xf.name = "e"}, %f: tensor<1024x256xf32> {xf.name = "f"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 256>) params(%e, %f : tensor<1024x256xf32>, tensor<1024x256xf32>) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @dense_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @causal_1024(%q: tensor<1x2x1024x64xf32> {xf.name = "q"}, %k: tensor<1x2x1024x64xf32> {xf.name = "k"}, %v: tensor<1x2x1024x64xf32> {xf.name = "v"}) -> (tensor<1x2x1024x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>, tensor<1x2x1024x64xf32>) -> tensor<1x2x1024x64xf32>
  return %o : tensor<1x2x1024x64xf32>
}
func.func @favor_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<256x64xf32>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @favor_causal_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @relu_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu>) params(%w : tensor<256x64xf32>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @relu_causal_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @low_rank_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}, %e: tensor<4096x256xf32> {xf.name = "e"}, %f: tensor<4096x256xf32> {xf.name = "f"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 256>) params(%e, %f : tensor<4096x256xf32>, tensor<4096x256xf32>) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @dense_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @causal_4096(%q: tensor<1x2x4096x64xf32> {xf.name = "q"}, %k: tensor<1x2x4096x64xf32> {xf.name = "k"}, %v: tensor<1x2x4096x64xf32> {xf.name = "v"}) -> (tensor<1x2x4096x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>, tensor<1x2x4096x64xf32>) -> tensor<1x2x4096x64xf32>
  return %o : tensor<1x2x4096x64xf32>
}
func.func @favor_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor>) params(%w : tensor<256x64xf32>) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @favor_causal_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @relu_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu>) params(%w : tensor<256x64xf32>) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @relu_causal_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}, %w: tensor<256x64xf32> {xf.name = "w"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = relu, of = #xf.causal>) params(%w : tensor<256x64xf32>) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @low_rank_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}, %e: tensor<16384x256xf32> {xf.name = "e"}, %f: tensor<16384x256xf32> {xf.name = "f"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 256>) params(%e, %f : tensor<16384x256xf32>, tensor<16384x256xf32>) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @dense_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
func.func @causal_16384(%q: tensor<1x2x16384x64xf32> {xf.name = "q"}, %k: tensor<1x2x16384x64xf32> {xf.name = "k"}, %v: tensor<1x2x16384x64xf32> {xf.name = "v"}) -> (tensor<1x2x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>, tensor<1x2x16384x64xf32>) -> tensor<1x2x16384x64xf32>
  return %o : tensor<1x2x16384x64xf32>
}
