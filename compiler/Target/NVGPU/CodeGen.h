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

/// Registers the dialects and the translations to LLVM IR that the functions below need.
void registerCodeGen(DialectRegistry &registry);

/// Marks the lowered functions that have the attribute `xft.threads` as kernels. The value of the attribute is the
/// number of threads of a thread block. Gives the other functions internal linkage.
void markKernels(ModuleOp module);

/// Translates a module of lowered and marked kernels to PTX for `machine`. Emits an error and fails if the module
/// cannot be translated or LLVM has no such target.
FailureOr<std::string> translateToPtx(ModuleOp module, const Machine &machine);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_CODEGEN_H
