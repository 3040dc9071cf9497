//===- ExpandScan.h - Scans become vector code ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_SCAN_EXPANDSCAN_H
#define XF_COMPILER_TARGET_CPU_SCAN_EXPANDSCAN_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftScanSizes.h"

namespace mlir::xf::cpu {

/// Expand a chunked scan or its gradient to vector code and erase it. The op must be the only one of its kernel. Each
/// worker runs a task as one thread, in its scratch memory. Emit an error at the op and fail if no instruction of the
/// machine takes as many terms as the op says.
LogicalResult expandScan(xft::ScanOp op, kernel::KernelBuilder &kb);
LogicalResult expandScanVjp(xft::ScanVjpOp op, kernel::KernelBuilder &kb);

/// Returns the bytes of scratch memory that a worker needs for a scan.
int64_t scanBytesOfWorker(const xft::ScanSizes &sizes);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_SCAN_EXPANDSCAN_H
