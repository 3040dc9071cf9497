// Causal, which only a proof shows, and over pairs: the maximum of all keys would leak the future.
// RUN: not xfc %s -o %t.o 2>&1 | FileCheck %s
// CHECK: leaking-set.mlir:[[@LINE+2]]:8: error: expected the stabilizer running, row or none, or epsilon = 0, in a causal pattern: a maximum over the sequence leaks the future; got
func.func @set(%x: tensor<1x2x8x4xf32>, %w: tensor<6x4xf32>) -> tensor<1x2x8x4xf32> {
  %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = favor, stabilizer = sequence, of = #xf.affine<(i, j)[Nq, Nk] : (2 * i - 2 * j ge 0, 3 * j - 2 * i ge 0)>>) params(%w : tensor<6x4xf32>) : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %o : tensor<1x2x8x4xf32>
}
