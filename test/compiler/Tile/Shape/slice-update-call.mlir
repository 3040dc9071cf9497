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

func.func @along(%state: tensor<7x5xf32> {xf.name = "s"}, %x: tensor<?x5xf32> {xf.name = "x"}, %p: tensor<i64> {xf.name = "p"})
    -> (tensor<7x5xf32> {xf.name = "next", xf.updates = "s"}) {
  %next = xf.slice_update %state, %x at %p axis 0 : (tensor<7x5xf32>, tensor<?x5xf32>, tensor<i64>) -> tensor<7x5xf32>
  return %next : tensor<7x5xf32>
}
