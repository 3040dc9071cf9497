//===- ExpandKernels.cpp - From kernels to code of threads ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/ExpandKernels.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

LogicalResult xf::gpu::expandOp(Operation *op, kernel::KernelBuilder &kb) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<xft::AttendOp>([&](auto attend) { return expandAttend(attend, kb); })
      .Case<xft::AttendDecodeOp>([&](auto attend) { return expandAttendDecode(attend, kb); })
      .Case<xft::AttendVjpSide>([&](auto vjp) { return expandAttendVjp(vjp, kb); })
      .Case<xft::ContractOp>([&](auto contract) { return expandContract(contract, kb); })
      .Case<xft::MergeSlicesOp>([&](auto merge) { return expandMergeSlices(merge, kb); })
      .Case<xft::RowsOp>([&](auto rows) { return expandRows(rows, kb); })
      .Case<xft::ScanOp>([&](auto scan) { return expandScan(scan, kb); })
      .Case<xft::ScanVjpOp>([&](auto vjp) { return expandScanVjp(vjp, kb); })
      .Case<xft::SortListsOp>([&](auto sort) { return expandSortLists(sort, kb); })
      .Case<xft::TabulateOp>([&](auto tabulate) { return expandTabulate(tabulate, kb); })
      .Default([](Operation *op) -> LogicalResult {
        return op->emitError("not implemented: ") << op->getName() << " for the CUDA target";
      });
}
