//===- LowerToLLVM.h - Kernels in LLVM ------------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_LOWERTOLLVM_H
#define XF_COMPILER_TARGET_KERNEL_CODE_LOWERTOLLVM_H

#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::xf::kernel {

/// Registers the LLVM dialect, its translation, and how the dialects of kernels are converted to it. A target whose
/// kernels have ops of other dialects registers their interfaces (ConvertToLLVMPatternInterface), too.
void registerLowering(DialectRegistry &registry);

/// Adds the passes that lower a module to the LLVM dialect. The module has kernels with the arguments that the runtime
/// passes, and the functions with which host programs prepare calls of kernels.
void addLowering(OpPassManager &pm);

/// Runs LLVM's default optimization passes of `level` on a module, for `target`.
void optimize(llvm::Module &module, llvm::TargetMachine &target, llvm::OptimizationLevel level);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_LOWERTOLLVM_H
