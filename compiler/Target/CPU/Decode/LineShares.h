//===- LineShares.h - Prefetches shared by register tiles ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several register tiles read the same rows of k, or columns of v. Each of them prefetches an equal share of the lines
// of the rows a few kilobytes ahead, in the order of memory, and spreads it over its products: a processor has few
// lines on their way at a time, and a tile that prefetched all of them would wait while memory idles under the other
// tiles.
//
// Prefetchers of the processor follow prefetches in the order of memory best. Where the tiles of a span of values are
// as few as the rows that each of them reads at a time, they prefetch whole rows, one after the other (RowStream).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H
#define XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H

#include "compiler/Target/CPU/Decode/DecodeTask.h"

namespace mlir::xf::cpu {

/// The lines of groups of rows, of which each of some parts of the code that reads such a group prefetches a share.
class LineShares {
public:
  /// Divides the lines of `columns` columns of `group` rows of k or v, which are `rows`, among `parts` parts.
  LineShares(DecodeTask &decode, const HeadRows &rows, int64_t columns, int64_t group, int64_t parts);

  /// Returns how many rows ahead of those that are read lines are prefetched: far enough for memory, and near enough
  /// that what is prefetched behind the last key is little.
  int64_t rowsAhead() const;

  /// Returns the distances in elements from the first row of a group to the lines of share `part`, one for each unit of
  /// consecutive lines. The last shares may be empty: they repeat the last lines.
  SmallVector<Value> starts(Value part) const;
  /// Prefetches what step `step` of `steps` equal steps has of the share that starts at `starts` of the group at
  /// `pointer`.
  void prefetchStep(Value pointer, ArrayRef<Value> starts, int64_t step, int64_t steps) const;

private:
  KernelBuilder &kb;
  const HeadRows &rows;
  bool toFirstLevel; ///< whether lines go to the first-level cache at once
  int64_t bytesAhead, group, perRow, share;
  int64_t unit; ///< consecutive lines of a row that are in one share; divides a row and a share
};

/// The rows of v a span of keys ahead, of which each of `tiles` register tiles that read a span prefetches an equal
/// part in the order of memory: `rowsOfShare` rows while it reads a group.
class RowStream {
public:
  /// Divides the rows of spans of v, which tiles read `group` rows at a time.
  RowStream(DecodeTask &decode, int64_t group, int64_t tiles);

  /// Returns whether shares are whole rows.
  static bool divides(int64_t group, int64_t tiles) { return group % tiles == 0; }

  /// Returns a pointer to the first row that tile `tile` of the span of `span` keys at row `first` prefetches.
  Value start(Value first, Value tile, int64_t span) const;
  /// Prefetches what step `step` of `steps` equal steps has of the share at `pointer`.
  void prefetchStep(Value pointer, int64_t step, int64_t steps) const;
  /// Returns a pointer to the share behind that at `pointer`.
  Value next(Value pointer) const;

private:
  KernelBuilder &kb;
  const HeadRows &rows;
  bool toFirstLevel;
  int64_t bytesAhead, group, rowsOfShare;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H
