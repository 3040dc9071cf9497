//===- CodeGen.h - From vector code to machine code ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CODEGEN_H
#define XF_COMPILER_TARGET_CPU_CODEGEN_H

#include "compiler/Support/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::xf::cpu {

/// Registers the dialects and translations that translateToLLVM needs.
void registerCodeGen(DialectRegistry &registry);

/// Translates the lowered module to LLVM IR. `machine` must be a CPU. Every function gets its CPU and features as
/// attributes, so that modules for several CPUs may be linked into one. Emits an error and returns null on failure.
std::unique_ptr<llvm::Module> translateToLLVM(ModuleOp module, const Machine &machine, llvm::LLVMContext &context);

/// Appends an object or assembly file of `module` to `output`. If `optLevel` is at least 3, LLVM's optimisation passes
/// run first. Otherwise kernels are compiled as they are. If `optLevel` is 0, LLVM's code generator also takes less
/// time, and its code is slower. Sets `error` on failure.
LogicalResult generateCode(llvm::Module &module, const Machine &machine, unsigned optLevel, llvm::CodeGenFileType kind,
                           SmallVectorImpl<char> &output, std::string &error);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CODEGEN_H
