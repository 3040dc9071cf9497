//===- ExpandContract.h - Matrix products become vector code ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_EXPANDCONTRACT_H
#define XF_COMPILER_TARGET_CPU_EXPANDCONTRACT_H

#include "compiler/Target/Kernel/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Replace the op of a kernel by code; `kb` builds at the op.
LogicalResult expandContract(xft::ContractOp op, KernelBuilder &kb);
LogicalResult expandPackPanels(xft::PackPanelsOp op, KernelBuilder &kb);

/// Row-major coordinates of a linear number.
SmallVector<Value> batchIndices(KernelBuilder &kb, Value number, ArrayRef<Value> sizes);

/// An error where a panel's width is no multiple of a register.
LogicalResult requireWholeRegisters(Operation *op, int64_t columns, Type element, const Machine &machine);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_EXPANDCONTRACT_H
