// RUN: xf-opt %s -xf-kernels-to-llvm=machine=x86-64-v3 | FileCheck %s
// RUN: xf-opt %s -xf-kernels-to-llvm=machine=sm_80 | FileCheck %s --check-prefix=GPU

// Blocks of a kernel know their threads; what kernels call is internal.
// CHECK: llvm.func @kernel(%{{.*}}: !llvm.ptr) attributes {
// CHECK: llvm.fmul %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: llvm.func @called
// GPU: llvm.func @kernel(%{{.*}}: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>, nvvm.minctasm = 1 : i32
// GPU: llvm.func internal @called
func.func private @kernel(%x: !llvm.ptr) attributes {xft.kernel, xft.threads = 64 : i64, xft.shared_bytes = 0 : i64} {
  %v = llvm.load %x : !llvm.ptr -> vector<8xf32>
  %s = arith.mulf %v, %v : vector<8xf32>
  llvm.store %s, %x : vector<8xf32>, !llvm.ptr
  func.call @called() : () -> ()
  return
}
func.func private @called() {
  return
}
