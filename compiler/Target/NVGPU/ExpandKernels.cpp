//===- ExpandKernels.cpp - Structured kernels become code of threads ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

static LogicalResult expand(Operation *op, kernel::KernelBuilder &kb) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xft::AttendOp>([&](auto attend) { return nvgpu::expandAttend(attend, kb); })
      .Case<xft::AttendVjpOp>([&](auto vjp) { return nvgpu::expandAttendVjp(vjp, kb); })
      .Case<xft::ContractOp>([&](auto contract) { return nvgpu::expandContract(contract, kb); })
      .Case<xft::RowsOp>([&](auto rows) { return nvgpu::expandRows(rows, kb); })
      .Case<xft::ScanOp>([&](auto scan) { return nvgpu::expandScan(scan, kb); })
      .Case<xft::ScanVjpOp>([&](auto vjp) { return nvgpu::expandScanVjp(vjp, kb); })
      .Case<xft::SortListsOp>([&](auto sort) { return nvgpu::expandSortLists(sort, kb); })
      .Case<xft::TabulateOp>([&](auto tabulate) { return nvgpu::expandTabulate(tabulate, kb); })
      .Default([](Operation *op) -> LogicalResult {
        return op->emitError("not implemented: ") << op->getName() << " for the CUDA target";
      });
}

LogicalResult nvgpu::expandKernels(ModuleOp module, const Machine &machine) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!xft::isKernel(function))
      continue;
    SmallVector<Operation *> structured;
    for (Operation &op : function.getBody().front())
      if (isa<xft::XftDialect>(op.getDialect()))
        structured.push_back(&op);
    for (Operation *op : structured) {
      kernel::KernelBuilder kb(function, machine);
      kb.b.setInsertionPoint(op);
      kb.loc = op->getLoc();
      if (failed(expand(op, kb)))
        return failure();
    }
    if (failed(lowerKernelAbi(function)))
      return failure();
  }
  return success();
}
