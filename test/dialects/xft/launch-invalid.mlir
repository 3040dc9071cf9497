// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.launch C1
func.func @no_kernel(%n: index) {
  // expected-error @below {{expected the name of a kernel, got @missing}}
  xft.launch @missing tiles(%n)
  return
}

// -----

func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?xf32>) attributes {xft.kernel} {
  return
}
// xft.launch C2
func.func @operands(%n: index) {
  // expected-error @below {{expected 1 operands, got 0}}
  xft.launch @k tiles(%n)
  return
}
