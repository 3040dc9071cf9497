//===- AttentionWork.h - Counts of attention pairs --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts two numbers of pairs: the pairs of a solution, and the pairs that kernels execute. The second number is
// larger, because kernels compute whole groups of rows and whole registers of keys (runtime/pieces/Work.h). The time to
// count does not grow with the number of rows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H

#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf {

/// The number of pairs of a pattern (`pairs`), and the number of pairs that kernels execute, masked pairs included.
struct AttentionWork {
  double pairs = 0, executedPairs = 0;
};

/// Returns the work of one head of one batch entry. The kernel computes `rows` rows at once, and extends the keys of
/// these rows to whole aligned runs of `wholeColumns` keys. Returns nullopt if bounds have symbols other than Nq and
/// Nk. Also returns nullopt if the groups of `rows` rows of a piece are of more than 2^17 kinds, because the period of
/// its bounds is long.
std::optional<AttentionWork> countWork(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys, int64_t rows,
                                       int64_t wholeColumns);

/// An interval of keys around each row: row i sees only keys from i + `first` to i + `last`.
struct KeysAround {
  int64_t first, last;
};

/// Returns an interval around each row that holds all keys that the row sees in `pieces`. The maps of the pieces must
/// be the identity. Returns nullopt if there is no such interval: the bounds of some piece do not grow with the rows,
/// or grow unevenly.
std::optional<KeysAround> keysAround(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys);

/// Returns true if run-time symbols bound the last key that a row sees in each of `pieces`. Then rows may see far fewer
/// keys than there are.
bool endAtRunTime(ArrayRef<PieceAttr> pieces);

/// Returns a number n such that any `rows` consecutive rows see, in `pieces`, only keys among n consecutive ones. The
/// maps of the pieces must be the identity. Returns nullopt if there is no such n: the bounds of some piece do not grow
/// with the rows, or grow unevenly.
std::optional<int64_t> keysOfRows(ArrayRef<PieceAttr> pieces, int64_t numQueries, int64_t numKeys, int64_t rows);

/// Adds the operations and pairs of the heads of `group`, computed by the forms `chosen`, to the work of the host
/// program. Each pair takes `terms` multiply-adds, which count as 2 operations each. Adds nothing if a size is dynamic,
/// or if a predicate selects pairs. Counts all keys and queries, even if lengths exclude some at run time.
void recordAttentionWork(HostBuilder &host, const HeadsOfSolution &group, ArrayRef<ChosenForm> chosen, int64_t terms);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
