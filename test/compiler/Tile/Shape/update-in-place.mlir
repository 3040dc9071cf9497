// A result that replaces its argument by a permuted view of it: the argument is saved first, because the copy would read
// what it has written.

// RUN: xfc %s --stop-after=tile | FileCheck %s

// RUN: xf-run %s --target=reference --entry=turn --input=w=random\(1\) --output=w=@%t.npy
// RUN: xf-run %s --threads=2 --entry=turn --input=w=random\(1\) --expected-output=w=@%t.npy | count 0
// RUN: xf-run %s --target=reference --entry=add_turned --input=w=random\(1\) --output=w=@%t.npy
// RUN: xf-run %s --threads=2 --entry=add_turned --input=w=random\(1\) --expected-output=w=@%t.npy | count 0
// RUN: xf-run %s --target=reference --entry=add_other --input=w=random\(1\) --input=x=random\(2\) --output=w=@%t.npy
// RUN: xf-run %s --threads=2 --entry=add_other --input=w=random\(1\) --input=x=random\(2\) --expected-output=w=@%t.npy | count 0

// CHECK-LABEL: func.func @turn
// CHECK: memref.alloc
// CHECK: xft.copy
func.func @turn(%w: tensor<67x67xf32> {xf.name = "w"}) -> (tensor<67x67xf32> {xf.name = "w", xf.updates = "w"}) {
  %t = xf.transpose %w permutation [1, 0] : tensor<67x67xf32> to tensor<67x67xf32>
  return %t : tensor<67x67xf32>
}

// So it is where a view of the argument is an operand, at any distance.
// CHECK-LABEL: func.func @add_turned
// CHECK: memref.alloc
// CHECK: xft.copy
func.func @add_turned(%w: tensor<67x67xf32> {xf.name = "w"}) -> (tensor<67x67xf32> {xf.name = "w", xf.updates = "w"}) {
  %t = xf.transpose %w permutation [1, 0] : tensor<67x67xf32> to tensor<67x67xf32>
  %r = xf.reshape %t : tensor<67x67xf32> to tensor<4489xf32>
  %u = xf.reshape %r : tensor<4489xf32> to tensor<67x67xf32>
  %y = xf.add %w, %u : (tensor<67x67xf32>, tensor<67x67xf32>) -> tensor<67x67xf32>
  return %y : tensor<67x67xf32>
}

// A view of another tensor does not move what is read of the argument.
// CHECK-LABEL: func.func @add_other
// CHECK-NOT: {{memref.alloc|xft.copy}}
// CHECK: return
func.func @add_other(%w: tensor<67x67xf32> {xf.name = "w"}, %x: tensor<67x67xf32> {xf.name = "x"})
    -> (tensor<67x67xf32> {xf.name = "w", xf.updates = "w"}) {
  %t = xf.transpose %x permutation [1, 0] : tensor<67x67xf32> to tensor<67x67xf32>
  %y = xf.add %w, %t : (tensor<67x67xf32>, tensor<67x67xf32>) -> tensor<67x67xf32>
  return %y : tensor<67x67xf32>
}
