//===- ExpandKernels.h - Expansion of structured kernels ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_EXPANDKERNELS_H
#define XF_COMPILER_TARGET_CPU_EXPANDKERNELS_H

#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {

/// Expands the structured op of every kernel of the module to vector code. Kernels that differ only in numbers of their
/// patterns become calls of one shared function (SharedKernels.h). Emits an error and fails at an op that the CPU
/// target does not support.
LogicalResult expandKernels(ModuleOp module, const CpuMachine &machine);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_EXPANDKERNELS_H
