//===- ExpandKernels.cpp - Expansion of structured kernels ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ExpandKernels.h"
#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Contract/ExpandContract.h"
#include "compiler/Target/CPU/Decode/ExpandDecode.h"
#include "compiler/Target/CPU/HideOuterIndices.h"
#include "compiler/Target/CPU/Operands/ExpandOperands.h"
#include "compiler/Target/CPU/Rows/ExpandRows.h"
#include "compiler/Target/CPU/Scan/ExpandScan.h"
#include "compiler/Target/Kernel/Code/ExpandModule.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

/// Expands one structured op by the function for ops of its kind. Emits an error at the op and fails if there is no
/// such function.
static LogicalResult expand(Operation *op, const cpu::SharedOps &shared, cpu::KernelBuilder &builder) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xft::AttendOp>([&](auto attend) { return cpu::expandAttend(attend, shared, builder); })
      .Case<xft::AttendDecodeOp>([&](auto attend) { return cpu::expandAttendDecode(attend, builder); })
      .Case<xft::AttendResiduesOp>([&](auto attend) { return cpu::expandAttendResidues(attend, builder); })
      .Case<xft::AttendStencilOp>([&](auto attend) { return cpu::expandAttendStencil(attend, builder); })
      .Case<xft::AttendResiduesVjpOp>([&](auto vjp) { return cpu::expandAttendResiduesVjp(vjp, builder); })
      .Case<xft::AttendStencilVjpOp>([&](auto vjp) { return cpu::expandAttendStencilVjp(vjp, builder); })
      .Case<xft::AttendVjpOp>([&](auto vjp) { return cpu::expandAttendVjp(vjp, shared, builder); })
      .Case<xft::ContractOp>([&](auto contract) { return cpu::expandContract(contract, shared, builder); })
      .Case<xft::GatherPanelsOp>([&](auto gather) { return cpu::expandGatherPanels(gather, shared, builder); })
      .Case<xft::TabulateOp>([&](auto tabulate) { return cpu::expandTabulate(tabulate, builder); })
      .Case<xft::SortListsOp>([&](auto sort) { return cpu::expandSortLists(sort, builder); })
      .Case<xft::MergeSlicesOp>([&](auto merge) { return cpu::expandMergeSlices(merge, builder); })
      .Case<xft::PackPanelsOp>([&](auto pack) { return cpu::expandPackPanels(pack, builder); })
      .Case<xft::RowsOp>([&](auto rows) { return cpu::expandRows(rows, builder); })
      .Case<xft::ScanOp>([&](auto scan) { return cpu::expandScan(scan, builder); })
      .Case<xft::ScanVjpOp>([&](auto vjp) { return cpu::expandScanVjp(vjp, builder); })
      .Default([](Operation *op) -> LogicalResult {
        return op->emitError("expected a kernel op that the CPU target expands, got ") << op->getName();
      });
}

LogicalResult cpu::expandKernels(ModuleOp module, const CpuMachine &machine) {
  SharedKernels shared(module);
  auto expandOne = [&](Operation *op, KernelBuilder &builder) { return expand(op, shared.opsOf(op), builder); };
  if (failed(kernel::expandModule(module, machine, expandOne)))
    return failure();
  hideOuterIndices(module);
  return success();
}
