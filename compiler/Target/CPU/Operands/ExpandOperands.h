//===- ExpandOperands.h - Packing of operands ----------------- -*- C++ -*-===//
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

/// Expand one structured op to vector code and erase it. The op must be the only one of its kernel. `shared` are the
/// ops of all kernels that share this code. expandGatherPanels fails if an instruction of the machine takes another
/// number of terms than the op says. expandPackPanels fails if the width of a panel is not a multiple of the lanes of a
/// register. Both emit an error at the op.
LogicalResult expandGatherPanels(xft::GatherPanelsOp op, const SharedOps &shared, KernelBuilder &kb);
LogicalResult expandPackPanels(xft::PackPanelsOp op, KernelBuilder &kb);
/// Expand the ops that prepare integer data for the predicates of patterns: tables with their ranges, and sorted lists.
LogicalResult expandTabulate(xft::TabulateOp op, KernelBuilder &kb);
LogicalResult expandSortLists(xft::SortListsOp op, KernelBuilder &kb);

/// Returns the row-major coordinates of element `number` of an array of `sizes`.
SmallVector<Value> batchIndices(KernelBuilder &kb, Value number, ArrayRef<Value> sizes);

/// Emits an error at `op` and fails if `columns` is not a multiple of the lanes of a register of `element`.
LogicalResult requireWholeRegisters(Operation *op, int64_t columns, Type element, const KernelMachine &machine);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_EXPANDOPERANDS_H
