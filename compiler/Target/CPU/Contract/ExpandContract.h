//===- ExpandContract.h - Matrix products become vector code -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H
#define XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H

#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expands a matrix product to vector code at the insertion point of `kb`, and erases it. It must be the only op of its
/// kernel. `shared` has the ops of all kernels that run this code. Emits an error at the op and fails if the width of a
/// panel is not a multiple of the lanes of a register.
LogicalResult expandContract(xft::ContractOp op, const SharedOps &shared, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H
