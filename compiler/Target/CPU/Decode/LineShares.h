//===- LineShares.h - Prefetches shared by register tiles ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefetches rows of k and v. Several register tiles read the same rows of k, or the same columns of v. Each tile
// prefetches an equal share of the lines that lie a few kilobytes ahead, in the order of memory, and spreads it over
// its products. One tile cannot prefetch all lines: a processor requests few lines at a time, so the tile would wait,
// and memory would be idle while the other tiles compute.
//
// Hardware prefetchers follow best if the prefetches are in the order of memory. So if there are few tiles, they
// prefetch whole rows of v, one after the other (RowStream). For that, the number of rows that a tile reads at a time
// must be a multiple of the number of tiles.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H
#define XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H

#include "compiler/Target/CPU/Decode/DecodeTask.h"

namespace mlir::xf::cpu {

/// Divides the cache lines of groups of rows into shares. Several parts of the code read the same group, and each
/// prefetches its share of a later group.
class LineShares {
public:
  /// Divides the lines of `group` rows, of `columns` columns each, among `parts` parts. `rows` are the rows of k or v.
  LineShares(DecodeTask &decode, const HeadRows &rows, int64_t columns, int64_t group, int64_t parts);

  /// Returns how many rows ahead lines are prefetched. The distance is long enough to hide the latency of memory, and
  /// so short that little is prefetched behind the last key.
  int64_t rowsAhead() const;

  /// Returns where the units of share `part` begin: for each unit, the distance in elements from the first row of a
  /// group. A unit is a run of consecutive cache lines. If a share would end behind the group, it repeats the last
  /// units of the group.
  SmallVector<Value> starts(Value part) const;
  /// Prefetches a share of the group at `pointer` in `steps` equal steps; this is step `step`. `starts` is what
  /// starts() returned for the share.
  void prefetchStep(Value pointer, ArrayRef<Value> starts, int64_t step, int64_t steps) const;

private:
  KernelBuilder &kb;
  const HeadRows &rows;
  bool toFirstLevel; ///< whether lines are prefetched to the first-level cache rather than the second
  int64_t bytesAhead, group, perRow, share;
  int64_t unit; ///< length of a unit in lines; divides a row and a share
};

/// Prefetches rows of v in the order of memory, `bytesAhead` bytes ahead. `tiles` register tiles read a span of keys
/// one after the other. Each tile prefetches an equal part of a later stretch of rows: `rowsOfShare` rows for each
/// `group` rows that the tile reads.
class RowStream {
public:
  /// Divides the rows of a span among `tiles` register tiles, which read `group` rows at a time.
  RowStream(DecodeTask &decode, int64_t group, int64_t tiles);

  /// Returns whether each of `tiles` register tiles that read `group` rows at a time has a share of whole rows.
  static bool divides(int64_t group, int64_t tiles) { return group % tiles == 0; }

  /// Returns a pointer to the first row that tile `tile` prefetches while it reads the `span` keys from row `first` on.
  Value start(Value first, Value tile, int64_t span) const;
  /// Prefetches the share at `pointer` in `steps` equal steps; this is step `step`.
  void prefetchStep(Value pointer, int64_t step, int64_t steps) const;
  /// Returns a pointer to the share behind the one at `pointer`.
  Value next(Value pointer) const;

private:
  KernelBuilder &kb;
  const HeadRows &rows;
  bool toFirstLevel;
  int64_t bytesAhead, group, rowsOfShare;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_LINESHARES_H
