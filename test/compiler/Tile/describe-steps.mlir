// RUN: xf-opt %s -xf-describe-steps -split-input-file | FileCheck %s

// A product is named after its epilogue and its entry. Kernels of one name are numbered, and keep away from other symbols.
// CHECK: func.func @f(
// CHECK: xft.launch @matmul_bias_gelu_f_2 tiles({{.*}}) {xft.bytes = 1.200000e+02 : f64, xft.flop = 4.800000e+01 : f64}
// CHECK: xft.launch @matmul_f {{.*}} {xft.bytes = 1.120000e+02 : f64, xft.flop = 4.800000e+01 : f64}
// CHECK: xft.copy {{.*}} {xft.bytes = 3.200000e+01 : f64}
// CHECK: func.func private @matmul_bias_gelu_f_2(
// CHECK: func.func private @matmul_f(
func.func private @matmul_bias_gelu_f()
func.func @f(%a: memref<2x6xf32>, %b: memref<6x2xf32>, %bias: memref<2xf32>, %y: memref<2x2xf32>, %z: memref<2x2xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  %rows = memref.reinterpret_cast %bias to offset: [0], sizes: [2, 2], strides: [0, 1] : memref<2xf32> to memref<2x2xf32, strided<[0, 1]>>
  xft.launch @contract_0123456789abcdef tiles(%one) (%a, %b, %rows, %y : memref<2x6xf32>, memref<6x2xf32>, memref<2x2xf32, strided<[0, 1]>>, memref<2x2xf32>)
  xft.launch @contract_fedcba9876543210 tiles(%one) (%a, %b, %z : memref<2x6xf32>, memref<6x2xf32>, memref<2x2xf32>)
  xft.copy %y to %z : memref<2x2xf32> to memref<2x2xf32>
  return
}
func.func private @contract_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?xf32, strided<[?, 1]>>, %bias: memref<?x?xf32, strided<[0, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b ins(%bias) outs(%y) rows 6 columns 16 block 96 depth 4096 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[0, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32, %e: f32):
    %x = arith.addf %sum, %e : f32
    %erf = math.erf %x : f32
    xft.yield %erf : f32
  }
  return
}
func.func private @contract_fedcba9876543210(%begin: i64, %end: i64, %scratch: !llvm.ptr, %a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>) attributes {xft.kernel} {
  xft.contract %a, %b outs(%y) rows 6 columns 16 block 96 depth 4096 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
  ^bb0(%sum: f32):
    xft.yield %sum : f32
  }
  return
}

// -----

// Sizes with stride 0 count once; steps of dynamic sizes have no work. What has
// no hash was named by the program.
// CHECK: xft.launch @exp_f {{.*}} {xft.bytes = 3.600000e+01 : f64}
// CHECK: xft.launch @layer_norm_f tiles(%{{[^)]*}}) ({{[^{]*}}){{$}}
// CHECK: xft.launch @mine {{.*}} {xft.bytes
// CHECK: func.func private @exp_f(
// CHECK: func.func private @layer_norm_f(
// CHECK: func.func private @mine(
func.func @f(%x: memref<1xf32>, %y: memref<8xf32>, %dynamic: memref<?xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  %same = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [0] : memref<1xf32> to memref<8xf32, strided<[0]>>
  %n = memref.dim %dynamic, %one : memref<?xf32>
  %view = memref.reinterpret_cast %dynamic to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  xft.launch @exp_0123456789abcdef tiles(%one) (%same, %y : memref<8xf32, strided<[0]>>, memref<8xf32>)
  xft.launch @layer_norm_0123456789abcdef tiles(%one) (%view, %y : memref<?xf32, strided<[1]>>, memref<8xf32>)
  xft.launch @mine tiles(%one) (%y : memref<8xf32>)
  return
}
func.func private @exp_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?xf32, strided<[?]>>, %y: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @layer_norm_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?xf32, strided<[1]>>, %y: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @mine(%begin: i64, %end: i64, %scratch: !llvm.ptr, %y: memref<8xf32>) attributes {xft.kernel} {
  return
}

// -----

// The name of the location, and the family of the pattern. Of kernels that several ops share, what all of them have: the
// second is of two layers, the third of two patterns as well. A gradient's entry counts as the one that it belongs to, and
// a kernel that nothing launches has neither.
// CHECK-LABEL: func.func @forward(
// CHECK: xft.launch @attend_forward_layer_3_window tiles({{.*}}) {xft.bytes = {{[^,]*}} : f64}
// CHECK: xft.launch @scan_forward_kernelized tiles
// CHECK: xft.launch @scan_forward_kernelized tiles
// CHECK: xft.launch @delta_forward tiles
// CHECK-LABEL: func.func @forward_vjp(
// CHECK: xft.launch @delta_forward tiles
// CHECK: xft.launch @attend_vjp_forward_layer_3_window tiles
// CHECK: func.func private @attend_forward_layer_3_window(
// CHECK: func.func private @idle_kernel(
func.func @forward(%x: memref<8xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  xft.launch @attend_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "window"} loc("layer.3")
  xft.launch @scan_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "kernelized"} loc("layer.3")
  xft.launch @scan_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "kernelized"} loc("layer.4")
  xft.launch @delta_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "window"} loc("layer.3")
  return
}
func.func @forward_vjp(%x: memref<8xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  xft.launch @delta_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "causal"} loc("layer.4")
  xft.launch @attend_vjp_0123456789abcdef tiles(%one) (%x : memref<8xf32>) {family = "window"} loc("layer.3")
  return
}
func.func private @attend_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @scan_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @delta_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @attend_vjp_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}
func.func private @idle_0123456789abcdef(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<8xf32>) attributes {xft.kernel} {
  return
}
