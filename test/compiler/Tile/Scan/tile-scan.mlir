// RUN: xfc %s --mcpu=x86-64-v3 --vjp=causal --stop-after=tile | FileCheck %s

!x = tensor<1x2x100x24xf32>

// One launch; W becomes rows of whole registers where it is not.
// CHECK-LABEL: func.func @dense
// CHECK: xft.launch @scan_
// CHECK-NOT: xft.launch
// CHECK: return
func.func @dense(%x: !x, %w: tensor<20x24xf32>) -> !x {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor>) params(%w : tensor<20x24xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}

// The gradient: delta, one scan, and the sum over tasks of what they add to W.
// CHECK-LABEL: func.func @causal_vjp
// CHECK: xft.launch @attend_delta
// CHECK: xft.launch @scan_vjp
// CHECK: xft.launch @reduce
func.func @causal(%x: !x, %w: tensor<20x24xf32>) -> !x {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = hyperbolic, of = #xf.causal>) params(%w : tensor<20x24xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}

// Favor's exponent is u - |x|^2 / 2; a chunk is a few register tiles.
// CHECK: func.func private @scan_vjp
// CHECK: xft.scan_vjp
// CHECK: exponents = [1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00]
