// A program that starts behind the stage expand has no feature regions any more.
// RUN: not xfc %s --start-from=pattern -o %t.o 2>&1 | FileCheck %s
// CHECK: feature-region-invalid.mlir:[[@LINE+2]]:8: error: 'xf.attention' op expected a feature region to be written out by the stage expand, got one
func.func @region(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = identity>) feature(%row : tensor<4xf32>) {
    %y = xf.exp %row : tensor<4xf32>
    xf.yield %y : tensor<4xf32>
  } : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
