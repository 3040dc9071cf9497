//===- ExpandKernels.h - From kernels to code of threads ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_EXPANDKERNELS_H
#define XF_COMPILER_TARGET_GPU_EXPANDKERNELS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftScanSizes.h"

namespace mlir::xf::gpu {

/// Replaces a structured op by the code that each thread runs. Sets the number of threads and the shared memory of the
/// op's kernel as attributes (KernelOperands.h). Emits an error and fails if the op cannot be expanded.
LogicalResult expandOp(Operation *op, kernel::KernelBuilder &kb);

/// Each of these functions does what expandOp does, for one kind of op.
LogicalResult expandAttend(xft::AttendOp op, kernel::KernelBuilder &kb);
LogicalResult expandAttendDecode(xft::AttendDecodeOp op, kernel::KernelBuilder &kb);
LogicalResult expandAttendVjp(xft::AttendVjpSide op, kernel::KernelBuilder &kb);
LogicalResult expandContract(xft::ContractOp op, kernel::KernelBuilder &kb);
LogicalResult expandMergeSlices(xft::MergeSlicesOp op, kernel::KernelBuilder &kb);
LogicalResult expandRows(xft::RowsOp op, kernel::KernelBuilder &kb);
LogicalResult expandScan(xft::ScanOp op, kernel::KernelBuilder &kb);
LogicalResult expandScanVjp(xft::ScanVjpOp op, kernel::KernelBuilder &kb);
LogicalResult expandSortLists(xft::SortListsOp op, kernel::KernelBuilder &kb);
LogicalResult expandTabulate(xft::TabulateOp op, kernel::KernelBuilder &kb);

/// Returns the number of bytes of a scan's buffers that do not fit shared memory. A thread block has `sharedBytes`
/// bytes of it.
int64_t scanOverflowBytes(const xft::ScanSizes &sizes, int64_t sharedBytes);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_EXPANDKERNELS_H
