// Rows of a state, replaced by number: in its own memory, and as the interpreter computes them, whatever the numbers
// are. Of equal numbers the last counts; what has no place is left out.

// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 | FileCheck %s
// RUN: xf-run %s --target=reference --input=s=random\(1\) --input=x=random\(2\) --output=next=@%t.npy
// RUN: xf-run %s --input=s=random\(1\) --input=x=random\(2\) --expected-output=next=@%t.npy | count 0

// CHECK-LABEL: func.func @places
// CHECK-NOT: {{memref.alloc|xft.copy}}
// CHECK: xft.launch @replace_rows
// CHECK-NOT: {{memref.alloc|xft.copy|xft.launch}}
// CHECK: return
func.func @places(%s: tensor<4x3x5xf32> {xf.name = "s"}, %x: tensor<6x5xf32> {xf.name = "x"})
    -> (tensor<4x3x5xf32> {xf.name = "next", xf.updates = "s"}) {
  %p = arith.constant dense<[-7, 5, 11, 5, 12, 0]> : tensor<6xi64>
  %next = xf.slice_update %s, %x at %p axis 1 : (tensor<4x3x5xf32>, tensor<6x5xf32>, tensor<6xi64>) -> tensor<4x3x5xf32>
  return %next : tensor<4x3x5xf32>
}
