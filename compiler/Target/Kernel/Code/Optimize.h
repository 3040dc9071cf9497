//===- Optimize.h - LLVM's passes over kernels ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_OPTIMIZE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_OPTIMIZE_H

#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::xf::kernel {

/// Runs LLVM's default optimization passes of `level` on a module, for `target`.
void optimize(llvm::Module &module, llvm::TargetMachine &target, llvm::OptimizationLevel level);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_OPTIMIZE_H
