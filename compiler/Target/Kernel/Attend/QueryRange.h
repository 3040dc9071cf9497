//===- QueryRange.h - Rows that may see keys, by many threads - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_QUERYRANGE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_QUERYRANGE_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"

namespace mlir::xf::kernel {

/// Does the work of buildQueryRange in AttendTask.h by several threads. This thread evaluates the keys of ranks
/// `first`, `first` + `step`, .. below `last`. `join` replaces `lower` by the least `lower` of all threads, and `upper`
/// by the greatest `upper`. Returns the range that results.
std::pair<Value, Value> buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last, int64_t step,
                                        function_ref<void(Value &lower, Value &upper)> join);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_QUERYRANGE_H
