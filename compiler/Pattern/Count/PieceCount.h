//===- PieceCount.h - The pairs of one piece --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_PIECECOUNT_H
#define XF_COMPILER_PATTERN_COUNT_PIECECOUNT_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// Counts the pairs of `piece`. Rows whose distance is a multiple of the period of all bounds form a class, along which
/// every bound is linear. Each class is summed in closed form, so the cost grows with the period and not with the rows.
int64_t countPairs(PieceAttr piece, const CallSizes &sizes);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_PIECECOUNT_H
