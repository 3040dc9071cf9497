//===- XftAttendScratch.h - Private memory of attention kernels ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each buffer of a worker lies in its scratch memory, in bytes: the tile stage needs the total, the target the
// parts.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H
#define XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

struct AttendScratch {
  explicit AttendScratch(AttendOp op);

  int64_t rowOf;       ///< i64 [row]: row of q
  int64_t query;       ///< [row][D], times scale (and log2 e)
  int64_t output;      ///< [row][Dv in whole registers], unnormalised
  int64_t sums;        ///< [row][lanes], partial sums of P
  int64_t shift;       ///< [row]: -m
  int64_t guard;       ///< integer [row]: bits of the score above which the group that starts here is rescaled
  int64_t p;           ///< [row of a tile][keys of a block]
  int64_t spill;       ///< [row of a tile][width of a tile]: scores, for the function that rescales
  int64_t pieceTable;  ///< i64 [piece][8]
  int64_t rowBounds;   ///< i64 [piece][row][2]
  int64_t groupBounds; ///< i64 [piece][group of rows][4]
  int64_t bytes = 0;   ///< of all of them
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTATTENDSCRATCH_H
