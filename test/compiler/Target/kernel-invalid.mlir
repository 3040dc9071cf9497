// RUN: xf-opt %s -split-input-file -verify-diagnostics -xf-expand-kernels=machine=x86-64-v3
// RUN: xf-opt %s -split-input-file -verify-diagnostics -xf-lower-kernel-abi=machine=x86-64-v3

// expected-error @+1 {{expected a kernel with a body}}
func.func private @declared(%begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {xft.kernel}

// -----

// expected-error @+1 {{expected a kernel with the arguments i64, i64, !llvm.ptr before its operands, got '(i64) -> ()'}}
func.func private @short(%begin: i64) attributes {xft.kernel} {
  return
}
