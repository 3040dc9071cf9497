//===- ExpandDecode.h - Attention of few rows as code ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_EXPANDDECODE_H
#define XF_COMPILER_TARGET_CPU_DECODE_EXPANDDECODE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {

/// Replaces an `xft.attend_decode` by vector code over the tasks [begin, end) of its kernel. Emits an error and fails
/// if the CPU has no products of the operand type of its tile.
LogicalResult expandAttendDecode(xft::AttendDecodeOp op, kernel::KernelBuilder &kb);
/// Replaces an `xft.merge_slices` by vector code over the rows [begin, end) of its kernel. Emits an error and fails if
/// a row is shorter than a register.
LogicalResult expandMergeSlices(xft::MergeSlicesOp op, kernel::KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_EXPANDDECODE_H
