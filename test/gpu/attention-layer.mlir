// A layer of attention and its gradient: products, attention and their gradients by warpgroups, from end to end.
// RUN: env XF_SIM_SCHEDULE=random %sm_90a %s --vjp
// RUN: %sm_80 %s --vjp

func.func @block(%x: tensor<2x130x128xf16>, %wq: tensor<128x128xf16>, %wk: tensor<128x128xf16>, %wv: tensor<128x128xf16>) -> tensor<2x130x128xf16> {
  %q = xf.linear %x, %wq : (tensor<2x130x128xf16>, tensor<128x128xf16>) -> tensor<2x130x128xf16>
  %k = xf.linear %x, %wk : (tensor<2x130x128xf16>, tensor<128x128xf16>) -> tensor<2x130x128xf16>
  %v = xf.linear %x, %wv : (tensor<2x130x128xf16>, tensor<128x128xf16>) -> tensor<2x130x128xf16>
  %qh = xf.split_heads %q heads 2 : (tensor<2x130x128xf16>) -> tensor<2x2x130x64xf16>
  %kh = xf.split_heads %k heads 2 : (tensor<2x130x128xf16>) -> tensor<2x2x130x64xf16>
  %vh = xf.split_heads %v heads 2 : (tensor<2x130x128xf16>) -> tensor<2x2x130x64xf16>
  %o = xf.attention %qh, %kh, %vh pattern(#xf.causal) scale 0.0005 : (tensor<2x2x130x64xf16>, tensor<2x2x130x64xf16>, tensor<2x2x130x64xf16>) -> tensor<2x2x130x64xf16>
  %m = xf.merge_heads %o : (tensor<2x2x130x64xf16>) -> tensor<2x130x128xf16>
  return %m : tensor<2x130x128xf16>
}
