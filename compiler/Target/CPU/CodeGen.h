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
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::xf::cpu {

/// Registers the dialects and translations that translateToLLVM needs.
void registerCodeGen(DialectRegistry &registry);

/// Adds the passes that lower kernels (after lowerKernelAbi) and prepare functions to the LLVM dialect.
void addLowering(OpPassManager &pm);

/// Translates the lowered module; every function gets the attributes of the machine, so that modules for several
/// machines, which are CPUs, may be linked to one. Returns null after an error was emitted.
std::unique_ptr<llvm::Module> translateToLLVM(ModuleOp module, const Machine &machine, llvm::LLVMContext &context);

/// Appends an object or assembly file to `output`. Runs LLVM's code generator, and at level 3 its middle end; below
/// that kernels are compiled as written. Sets `error` on failure.
LogicalResult generateCode(llvm::Module &module, const Machine &machine, unsigned optLevel, llvm::CodeGenFileType kind,
                           SmallVectorImpl<char> &output, std::string &error);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CODEGEN_H
