// A layer of attention and its gradient: products, attention and their gradients by warpgroups, from end to end.
// RUN: env XF_SIM_SCHEDULE=random %sm_90a %s --vjp
// RUN: %sm_80 %s --vjp

func.func @block(%x: tensor<2x130x128xbf16>, %wq: tensor<128x128xbf16>, %wk: tensor<128x128xbf16>, %wv: tensor<128x128xbf16>, %wo: tensor<128x128xbf16>) -> tensor<2x130x128xbf16> {
  %q = xf.linear %x, %wq : (tensor<2x130x128xbf16>, tensor<128x128xbf16>) -> tensor<2x130x128xbf16>
  %k = xf.linear %x, %wk : (tensor<2x130x128xbf16>, tensor<128x128xbf16>) -> tensor<2x130x128xbf16>
  %v = xf.linear %x, %wv : (tensor<2x130x128xbf16>, tensor<128x128xbf16>) -> tensor<2x130x128xbf16>
  %qh = xf.split_heads %q heads 2 : (tensor<2x130x128xbf16>) -> tensor<2x2x130x64xbf16>
  %kh = xf.split_heads %k heads 2 : (tensor<2x130x128xbf16>) -> tensor<2x2x130x64xbf16>
  %vh = xf.split_heads %v heads 2 : (tensor<2x130x128xbf16>) -> tensor<2x2x130x64xbf16>
  %o = xf.attention %qh, %kh, %vh pattern(#xf.causal) scale 0.001 : (tensor<2x2x130x64xbf16>, tensor<2x2x130x64xbf16>, tensor<2x2x130x64xbf16>) -> tensor<2x2x130x64xbf16>
  %m = xf.merge_heads %o : (tensor<2x2x130x64xbf16>) -> tensor<2x130x128xbf16>
  %y = xf.linear %m, %wo : (tensor<2x130x128xbf16>, tensor<128x128xbf16>) -> tensor<2x130x128xbf16>
  return %y : tensor<2x130x128xbf16>
}
