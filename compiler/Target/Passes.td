//===- Passes.td - The kernel and target stages ------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_PASSES_TD
#define XF_COMPILER_TARGET_PASSES_TD

include "compiler/Support/MachineOptions.td"

def ExpandKernelsPass : Pass<"xf-expand-kernels", "::mlir::ModuleOp"> {
  let summary = "Expand the structured ops of kernels to code of vectors or of threads";
  let description = [{
    Replaces the structured op of each kernel by code that its target builds: loops over vectors on a CPU, code of
    single threads on a GPU. Kernels keep their operands, so that launches still fit; what a launch passes to a device
    beside them (threads, shared memory) becomes attributes of the kernel. Of kernels that differ in numbers alone, a
    CPU gets one.

    Before `-xf-expand-kernels=machine=x86-64-v3`:
    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %rows: index, %columns: index, %blocks: index)
        attributes {xft.kernel} {
      xft.rows outer(%rows) columns(%columns) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
        ^bb0(%column: i64, %e: f32):
          %s = arith.mulf %e, %e : f32
          xft.yield %s : f32
        }
      }
      return
    }
    ```
    After:
    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %rows: index, %columns: index, %blocks: index)
        attributes {xft.kernel} {
      ..
      %address = memref.extract_aligned_pointer_as_index %x : ..
      scf.for %row = .. {
        ..
        scf.for %column = .. {
          %from = llvm.getelementptr inbounds %x_row[%column] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %e = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
          ..
          %s = arith.mulf %e, %e fastmath<contract> : vector<8xf32>
          %to = llvm.getelementptr inbounds %y_row[%column] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %s, %to {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
        }
        ..
        llvm.intr.masked.store ..
      }
      ..
      return
    }
    ```
  }];
  let options = machineOptions;
}

def LowerKernelAbiPass : Pass<"xf-lower-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Give expanded kernels the arguments that the runtime passes";
  let description = [{
    Replaces the operands of expanded kernels by the arguments that the runtime passes on their target: on a CPU
    (xfrt_kernel) an array of the dynamic sizes, strides and indices, and an array of pointers; on a GPU each of them,
    then the tensor maps and the number of tiles. Runs after host programs became tables, because a launch has the
    operands of its kernel.

    Before `-xf-lower-kernel-abi=machine=x86-64-v3`:
    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?xf32>) attributes {xft.kernel} {
      %zero = arith.constant 0.0 : f32
      %address = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
      %bits = arith.index_cast %address : index to i64
      %pointer = llvm.inttoptr %bits : i64 to !llvm.ptr
      llvm.store %zero, %pointer : f32, !llvm.ptr
      return
    }
    ```
    After:
    ```mlir
    func.func private @k(%scalars: !llvm.ptr, %buffers: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr)
        attributes {xft.kernel} {
      %at_x = llvm.getelementptr %buffers[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %x = llvm.load %at_x : !llvm.ptr -> !llvm.ptr
      %at_size = llvm.getelementptr %scalars[0] : (!llvm.ptr) -> !llvm.ptr, i64
      %size = llvm.load %at_size : !llvm.ptr -> i64
      %n = arith.index_cast %size : i64 to index
      %x_bits = llvm.ptrtoint %x : !llvm.ptr to i64
      %address = arith.index_cast %x_bits : i64 to index
      %zero = arith.constant 0.000000e+00 : f32
      %bits = arith.index_cast %address : index to i64
      %pointer = llvm.inttoptr %bits : i64 to !llvm.ptr
      llvm.store %zero, %pointer : f32, !llvm.ptr
      return
    }
    ```
  }];
  let options = machineOptions;
}

def KernelsToLLVMPass : Pass<"xf-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels, and the functions that prepare a call, to the LLVM dialect";
  let description = [{
    Lowers kernels that have their arguments, the functions that they call and those that prepare a call to the LLVM
    dialect, as it is translated for the machine. Marks kernels of a GPU, and makes all other functions of its image
    internal.

    Before `-xf-kernels-to-llvm=machine=sm_80`:
    ```mlir
    func.func private @k(%n: i64, %x: !llvm.ptr<1>) attributes {xft.kernel, xft.threads = 32 : i64} {
      %zero = arith.constant 0 : i64
      %is_empty = arith.cmpi eq, %n, %zero : i64
      scf.if %is_empty {
        llvm.store %zero, %x : i64, !llvm.ptr<1>
      }
      return
    }
    ```
    After:
    ```mlir
    llvm.func @k(%n: i64, %x: !llvm.ptr<1>)
        attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>, nvvm.minctasm = 1 : i32, ..} {
      %zero = llvm.mlir.constant(0 : i64) : i64
      %is_empty = llvm.icmp "eq" %n, %zero : i64
      llvm.cond_br %is_empty, ^bb1, ^bb2
    ^bb1:
      llvm.store %zero, %x : i64, !llvm.ptr<1>
      llvm.br ^bb2
    ^bb2:
      llvm.return
    }
    ```
  }];
  let options = machineOptions;
}

#endif // XF_COMPILER_TARGET_PASSES_TD
