// A result that replaces its argument by a permuted view of it: the argument is saved first, because the copy would read
// what it has written.

// RUN: xfc %s --stop-after=tile | FileCheck %s
// CHECK: memref.alloc
// CHECK: xft.copy

// RUN: xf-run %s --target=reference --input=w=random\(1\) --output=w=@%t.npy
// RUN: xf-run %s --threads=2 --input=w=random\(1\) --expected-output=w=@%t.npy | count 0

func.func @turn(%w: tensor<67x67xf32> {xf.name = "w"}) -> (tensor<67x67xf32> {xf.name = "w", xf.updates = "w"}) {
  %t = xf.transpose %w permutation [1, 0] : tensor<67x67xf32> to tensor<67x67xf32>
  return %t : tensor<67x67xf32>
}
