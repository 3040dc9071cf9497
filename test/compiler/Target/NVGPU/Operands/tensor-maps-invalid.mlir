// RUN: xf-opt %s -verify-diagnostics -xf-lower-kernel-abi=machine=sm_90a

// expected-error @+1 {{expected a pointer for each tensor map behind the operands, as expansion adds them}}
func.func private @no_pointer(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x64xf16>)
    attributes {xft.kernel, xft.tensor_maps = [#xft.tensor_map<operand = 0, sizes = (d0, d1) -> (d1, d0), strides = (d0, d1) -> (1, d0), box = [64, 64]>]} {
  return
}
