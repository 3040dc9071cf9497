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

/// Adds the translations that toLLVM needs to a registry.
void registerCodeGen(DialectRegistry &registry);

/// Lowers kernels (after expandKernels) and prepare functions to the LLVM dialect, in place.
LogicalResult lowerToLLVM(ModuleOp module);

/// Translates the lowered module; every function gets the machine's attributes, so that modules for several machines
/// may be linked to one. Null after an error was emitted.
std::unique_ptr<llvm::Module> translateToLLVM(ModuleOp module, const Machine &machine, llvm::LLVMContext &context);

/// Runs LLVM's middle end for level 3 (below that kernels are compiled as written) and its code generator; appends an
/// object or assembly file.
LogicalResult generateCode(llvm::Module &module, const Machine &machine, unsigned optLevel, llvm::CodeGenFileType kind,
                           SmallVectorImpl<char> &output, std::string &error);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CODEGEN_H
