// A slice of a state, replaced: as the interpreter computes it, and refused where it does not fit.

// RUN: xf-run %s --target=reference --entry=along --input=s=random\(1\) --input=x=3x5xf32=random\(2\) --input=p=2 --output=next=@%t.npy
// RUN: xf-run %s --entry=along --input=s=random\(1\) --input=x=3x5xf32=random\(2\) --input=p=2 --expected-output=next=@%t.npy | count 0
// RUN: xf-run %s --entry=along --input=s=random\(1\) --input=x=5x5xf32=random\(2\) --input=p=2 | count 1
// RUN: not xf-run %s --entry=along --input=s=random\(1\) --input=x=6x5xf32=random\(2\) --input=p=2 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: entry 'along': argument 'p': expected elements between 0 and 1, got 2 at index 0
// RUN: not xf-run %s --entry=along --input=s=random\(1\) --input=x=6x5xf32=random\(2\) --input=p=-1 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: entry 'along': argument 'p': expected elements between 0 and 1, got -1 at index 0
// RUN: not xf-run %s --target=reference --entry=along --input=s=random\(1\) --input=x=6x5xf32=random\(2\) --input=p=2 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: expected a position in [0, 1], got 2

// Two inputs of one named size at one position, as keys and values are: one check is of both.
// RUN: xf-run %s --target=reference --entry=pair --input=s=random\(1\) --input=t=random\(3\) --input=x=3x5xf32=random\(2\) --input=y=3x2xf32=random\(4\) --input=p=2 --output=next=@%t.npy --output=other=@%t2.npy
// RUN: xf-run %s --entry=pair --input=s=random\(1\) --input=t=random\(3\) --input=x=3x5xf32=random\(2\) --input=y=3x2xf32=random\(4\) --input=p=2 --expected-output=next=@%t.npy --expected-output=other=@%t2.npy | count 0
// RUN: not xf-run %s --entry=pair --input=s=random\(1\) --input=t=random\(3\) --input=x=6x5xf32=random\(2\) --input=y=6x2xf32=random\(4\) --input=p=2 2>&1 | FileCheck %s --check-prefix=FULL-PAIR
// FULL-PAIR: entry 'pair': argument 'p': expected elements between 0 and 1, got 2 at index 0
// RUN: not xf-run %s --entry=pair --input=s=random\(1\) --input=t=random\(3\) --input=x=3x5xf32=random\(2\) --input=y=2x2xf32=random\(4\) --input=p=2 2>&1 | FileCheck %s --check-prefix=DIFFER
// DIFFER: expected 'n' = 3 in dimension 0 as in the tensors before, got 2

func.func @along(%state: tensor<7x5xf32> {xf.name = "s"}, %x: tensor<?x5xf32> {xf.name = "x"}, %p: tensor<i64> {xf.name = "p"})
    -> (tensor<7x5xf32> {xf.name = "next", xf.updates = "s"}) {
  %next = xf.slice_update %state, %x at %p axis 0 : (tensor<7x5xf32>, tensor<?x5xf32>, tensor<i64>) -> tensor<7x5xf32>
  return %next : tensor<7x5xf32>
}

func.func @pair(%s: tensor<7x5xf32> {xf.name = "s"}, %t: tensor<7x2xf32> {xf.name = "t"},
                %x: tensor<?x5xf32> {xf.name = "x", xf.dims = [#xf.dim<name = "n", min = 0, max = 7>]},
                %y: tensor<?x2xf32> {xf.name = "y", xf.dims = [#xf.dim<name = "n", min = 0, max = 7>]}, %p: tensor<i64> {xf.name = "p"})
    -> (tensor<7x5xf32> {xf.name = "next", xf.updates = "s"}, tensor<7x2xf32> {xf.name = "other", xf.updates = "t"}) {
  %next = xf.slice_update %s, %x at %p axis 0 : (tensor<7x5xf32>, tensor<?x5xf32>, tensor<i64>) -> tensor<7x5xf32>
  %other = xf.slice_update %t, %y at %p axis 0 : (tensor<7x2xf32>, tensor<?x2xf32>, tensor<i64>) -> tensor<7x2xf32>
  return %next, %other : tensor<7x5xf32>, tensor<7x2xf32>
}
