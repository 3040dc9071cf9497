// A row is bit for bit what it is without the keys behind it, also where they are NaN and share a chunk, whose products
// see all of them.
// RUN: env XF_SIM_CAPABILITY=8.0 xf-run %s --entry=earlier --target=cuda --gpu-arch=sm_80 --input=arg0=random\(1\) --input=arg1=random\(2\) | FileCheck %s
// CHECK: result0 : 1x2x40x32 f32 = 0, 0
// CHECK-SAME: (min 0, max 0, mean 0)
// Nor does a row hide one that it sees.
// CHECK: result1 : 1x2x1x32 f32 = nan, nan

!x = tensor<1x2x100x32xbf16>
!e = tensor<1x2x40x32xbf16>
!f = tensor<1x2x40x32xf32>
func.func @earlier(%q: !x, %v: !x) -> (!f, tensor<1x2x1x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1xbf16>
  %nan = xf.div %zero, %zero : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x1xbf16>
  %head = xf.slice %v offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %some = xf.slice %v offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to tensor<1x2x60x32xbf16>
  %tail = xf.mul %some, %nan : (tensor<1x2x60x32xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x2x60x32xbf16>
  %hidden = xf.concat %head, %tail axis 2 : (!e, tensor<1x2x60x32xbf16>) -> !x
  %o = xf.attention %q, %q, %v pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x) -> !x
  %p = xf.attention %q, %q, %hidden pattern(#xf.kernelized<feature = elu, of = #xf.causal>) : (!x, !x, !x) -> !x
  %a = xf.slice %o offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %b = xf.slice %p offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : !x to !e
  %difference = xf.sub %a, %b : (!e, !e) -> !e
  %wide = xf.cast %difference : !e to !f
  %row = xf.slice %p offsets [0, 0, 41, 0] strides [1, 1, 1, 1] : !x to tensor<1x2x1x32xbf16>
  %seen = xf.cast %row : tensor<1x2x1x32xbf16> to tensor<1x2x1x32xf32>
  return %wide, %seen : !f, tensor<1x2x1x32xf32>
}
