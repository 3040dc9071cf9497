//===- ExpandOperands.h - Packing operands becomes vector code -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_EXPANDOPERANDS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_EXPANDOPERANDS_H

#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Each replaces one structured op, alone in its kernel, by code; where kernels share it, the code of all `shared` ops.
LogicalResult expandGatherPanels(xft::GatherPanelsOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandPackPanels(xft::PackPanelsOp op, KernelBuilder &kb);
/// See ExpandTabulate.cpp.
LogicalResult expandTabulate(xft::TabulateOp op, KernelBuilder &kb);
LogicalResult expandSortLists(xft::SortListsOp op, KernelBuilder &kb);

/// Row-major coordinates of a linear number.
SmallVector<Value> batchIndices(KernelBuilder &kb, Value number, ArrayRef<Value> sizes);

/// Emits an error where a panel's width is not a multiple of a register.
LogicalResult requireWholeRegisters(Operation *op, int64_t columns, Type element, const Machine &machine);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_EXPANDOPERANDS_H
