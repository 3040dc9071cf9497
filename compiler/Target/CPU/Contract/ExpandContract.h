//===- ExpandContract.h - Matrix products become vector code -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H
#define XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expands a matrix product, the only op of its kernel, to vector code; `kb` builds at the op. Fails with an error if a
/// panel is not a multiple of a register wide.
LogicalResult expandContract(xft::ContractOp op, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CONTRACT_EXPANDCONTRACT_H
