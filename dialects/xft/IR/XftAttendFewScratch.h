//===- XftAttendFewScratch.h - Scratch memory of few rows -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTATTENDFEWSCRATCH_H
#define XF_DIALECTS_XFT_IR_XFTATTENDFEWSCRATCH_H

#include "dialects/xft/IR/XftAttendScratch.h"

namespace mlir::xft {

/// The layout of scratch memory for xft.attend_few: the byte offset of each buffer, with the buffer's shape beside it.
/// D' and Dv' are D and Dv in whole registers.
struct AttendFewScratch {
  explicit AttendFewScratch(AttendFewOp op);

  /// Returns the number of keys whose scores a register tile computes: the elements of 128 bits, which instructions
  /// interleave.
  static int64_t groupOf(Type real) { return 128 / real.getIntOrFloatBitWidth(); }
  /// Returns the partial sums of a row: a register of those of P and, if weights are rounded, one of those of rounded
  /// P.
  static int64_t sumsOf(FewTileAttr tile) { return tile.getLanes() * (tile.getOperand() ? 2 : 1); }

  int64_t query;     ///< [row][D'], as q enters products: times scale, unless weights are rounded
  int64_t output;    ///< [row][Dv'], unnormalised
  int64_t maximum;   ///< [row][lane]: m
  int64_t decay;     ///< [row][lane]: exp(m before the block - m)
  int64_t sums;      ///< [row][sumsOf]: partial sums of P
  int64_t p;         ///< [row][key of a block], as P enters products
  int64_t partial;   ///< [row][group of keys][lane]: sums that become scores
  int64_t rowBounds; ///< i64 [piece][row][2]: the keys that each row sees
  int64_t ranges;    ///< i64 [piece][4]: the keys that some row sees, and those that all rows see
  int64_t bytes = 0; ///< total
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTATTENDFEWSCRATCH_H
