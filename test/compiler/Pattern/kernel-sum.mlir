// RUN: xf-opt --xf-solve-patterns %s | FileCheck %s

!x = tensor<1x1x8x4xf32>

// All pairs, and the defaults of each feature map.
// CHECK-LABEL: @dense
func.func @dense(%x: !x, %w: tensor<6x4xf32>) -> !x {
  // CHECK: kernel_sum = #xf.kernel_sum<feature = favor, stabilizer = sequence, normalizer = sum, epsilon = 9.9999999999999995E-7 : f64, guard = 9.9999999999999995E-7 : f64>
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor>) params(%w : tensor<6x4xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}
// CHECK-LABEL: @relu
func.func @relu(%x: !x) -> !x {
  // CHECK: kernel_sum = #xf.kernel_sum<feature = relu, stabilizer = none, normalizer = count, epsilon = 1.000000e-03 : f64,
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = relu, normalizer = count>) : (!x, !x, !x) -> !x
  return %o : !x
}
// CHECK-LABEL: @causal
func.func @causal(%x: !x, %w: tensor<6x4xf32>) -> !x {
  // CHECK: kernel_sum = #xf.kernel_sum<feature = favor, stabilizer = running, normalizer = sum, causal = true, epsilon = 0.000000e+00 : f64, guard = 0.000000e+00 : f64>
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.causal>) params(%w : tensor<6x4xf32>) : (!x, !x, !x) -> !x
  return %o : !x
}
// That a set is the causal one is proved, not read off its name.
// CHECK-LABEL: @by_another_name
func.func @by_another_name(%x: !x) -> !x {
  // CHECK: kernel_sum = #xf.kernel_sum<feature = elu, stabilizer = none, normalizer = sum, causal = true,
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0)>>) : (!x, !x, !x) -> !x
  return %o : !x
}
// CHECK-LABEL: @documents
func.func @documents(%x: !x, %s: tensor<1x8xi32>) -> !x {
  // CHECK: causal = true, segments = true,
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = elu, of = #xf.intersection<[#xf.causal, #xf.segments]>>) segments(%s, %s : tensor<1x8xi32>, tensor<1x8xi32>) : (!x, !x, !x) -> !x
  return %o : !x
}
