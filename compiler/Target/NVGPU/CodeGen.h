//===- CodeGen.h - From kernels to PTX ------------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_CODEGEN_H
#define XF_COMPILER_TARGET_NVGPU_CODEGEN_H

#include "compiler/Support/Machine.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf::nvgpu {

/// Dialects and translations that the functions below need.
void registerCodeGen(DialectRegistry &registry);

/// Lowers a module of expanded kernels (arith, math, scf, vectors of one element, llvm, nvvm) to the LLVM dialect;
/// every function becomes a kernel of the threads that its attribute says.
LogicalResult lowerToLLVM(ModuleOp module);

/// The PTX of a module that lowerToLLVM made, or failure after an error.
FailureOr<std::string> translateToPtx(ModuleOp module, const Machine &machine);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_CODEGEN_H
