// Causal in the positions of a grid: tokens see later ones, but of their own position, and the maximum of all keys would
// leak the future all the same.
// RUN: not xfc %s -o %t.o 2>&1 | FileCheck %s
// CHECK: leaking-positions.mlir:[[@LINE+2]]:8: error: expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum over the sequence leaks the future; got
func.func @positions(%x: tensor<1x2x8x4xf32>, %w: tensor<6x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, of = #xf.grid<layers = 2, of = #xf.causal, granularity = position>>) params(%w : tensor<6x4xf32>) : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
