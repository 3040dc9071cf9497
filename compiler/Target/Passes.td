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
  let options = machineOptions;
}

def LowerKernelAbiPass : Pass<"xf-lower-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Give expanded kernels the arguments that the runtime passes";
  let options = machineOptions;
}

def KernelsToLLVMPass : Pass<"xf-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels, and the functions that prepare a call, to the LLVM dialect";
  let options = machineOptions;
}

#endif // XF_COMPILER_TARGET_PASSES_TD
