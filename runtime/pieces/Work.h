//===- Work.h - Counts of a piece's pairs ----------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the pairs of a piece without visiting every row. Groups of rows that are a period of the bounds apart form a
// series. Between points where two bounds cross, the number of keys that a group sees is a linear function of its index
// in the series. So adding up a series takes a few sums.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_WORK_H
#define XFRT_PIECES_WORK_H

#include "Numbers.h"

namespace xfrt {

/// The numbers of rows and of keys that a kernel computes as a whole, masked pairs included.
struct WorkTile {
  int64_t rows = 1, keys = 1;
};

/// The number of pairs of a piece, and the number of pairs that tiles compute (`executed`). A tile computes all of its
/// rows, also those past the last row. Its keys are those from the first to the last key that one of its rows sees,
/// rounded outwards to multiples of the tile's keys. Tiles begin at the first row of each residue.
struct Work {
  int64_t pairs = 0, executed = 0;
};

/// Adds the work of the queries at positions `queries`. Returns false, and leaves `work` undefined, if memory could not
/// be allocated or more than `mostGroups` groups of rows differ.
bool addWork(const PieceNumbers &piece, const Sizes &sizes, KeyRun queries, WorkTile tile, int64_t mostGroups,
             Work &work);

} // namespace xfrt

#endif // XFRT_PIECES_WORK_H
