//===- XftAttendDecodeScratch.h - Scratch memory of few rows -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTATTENDDECODESCRATCH_H
#define XF_DIALECTS_XFT_IR_XFTATTENDDECODESCRATCH_H

#include "dialects/xft/IR/XftAttendScratch.h"

namespace mlir::xft {

/// The layout of scratch memory for xft.attend_decode: the byte offset of each buffer, with the buffer's shape beside
/// it.
///
/// A register of sums belongs to the rows of a band: to one row, or to several, of which each has as many lanes as a
/// group of keys. Rows are padded to whole bands. D' and Dv' are D and Dv in the lanes of a row, and in whole
/// registers.
struct AttendDecodeScratch {
  explicit AttendDecodeScratch(AttendDecodeOp op);

  /// Returns the number of keys whose scores a register tile computes: the elements of 128 bits, which instructions
  /// interleave.
  static int64_t groupOf(Type real) { return 128 / real.getIntOrFloatBitWidth(); }
  /// The most keys of a register tile.
  static constexpr int64_t mostKeysOfTile = 8;
  /// Returns the rows of a band.
  static int64_t rowsOfBand(AttendDecodeOp op);
  /// Returns the number of keys of a group in bands of `rowsOfBand` rows.
  static int64_t groupOf(AttendDecodeOp op, int64_t rowsOfBand);

  /// Returns whether rows take about as long to multiply as memory takes to deliver a key: fewer only wait for it, and
  /// more only multiply.
  static bool overlaps(AttendDecodeOp op);
  /// Returns the number of blocks of a run, whose scores are computed before any of their values are read.
  static int64_t blocksOfRun(AttendDecodeOp op);

  int64_t query;   ///< [band][part of D'][row][lane], as q enters products: times scale, unless weights are rounded
  int64_t output;  ///< [row][Dv'], unnormalised
  int64_t maximum; ///< [row][lane of it]: m
  int64_t decay;   ///< [block of a run][row][lane of it]: exp(m before the block - m)
  int64_t sums;    ///< [row][lane of it]: partial sums of P
  int64_t rounded; ///< [row][lanes of it / terms]: partial sums of rounded P, if weights are rounded
  int64_t p;       ///< [block of a run][row][key], or [..][group of keys][row][key] in bands of several rows: P, as it
                   ///< enters products
  int64_t partial; ///< [block of a run][band][group of keys][lane]: sums that become scores
  int64_t copied;  ///< [key of a tile][D]: the last rows of k, the last one repeated
  int64_t rowBounds; ///< i64 [piece][row][2]: the keys that each row sees
  int64_t ranges;    ///< i64 [piece][4]: the keys that some row sees, and those that all rows see
  int64_t bytes = 0; ///< total
  int64_t decayBytes, pBytes, partialBytes; ///< of one block
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTATTENDDECODESCRATCH_H
