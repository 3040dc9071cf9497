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

/// Registers the LLVM dialect, its translation, and the conversions of kernels' dialects to it. A target whose kernels
/// have ops of further dialects must also register the conversions of these dialects (ConvertToLLVMPatternInterface).
void registerLowering(DialectRegistry &registry);

/// Adds the passes that lower a module to the LLVM dialect. The kernels of the module must have the arguments that the
/// runtime passes. The functions that prepare calls of kernels for host programs are lowered, too.
void addLowering(OpPassManager &pm);

/// Runs LLVM's default optimization passes of `level` on a module, for `target`.
void optimize(llvm::Module &module, llvm::TargetMachine &target, llvm::OptimizationLevel level);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_LOWERTOLLVM_H
