//===- XfPieceNumbers.h - Pieces as plain numbers ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts pieces to numbers for runtime/pieces, which computes the pairs of a piece at known sizes. The ranks of a job
// link that library, too. Affine maps become lists of coefficients:
//
//   upper = affine_map<(i)[Nq, Nk] -> ((i floordiv 32) * 32 - 1)>
//
// becomes one division, floor(i / 32), and the row 32 d0 - 1. A piece and its numbers have the same pairs at every
// size.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PIECES_XFPIECENUMBERS_H
#define XF_DIALECTS_XF_PIECES_XFPIECENUMBERS_H

#include "dialects/xf/IR/XfPieces.h"
#include "runtime/pieces/Numbers.h"
#include <vector>

namespace mlir::xf {

/// The direction in which the pairs of a piece are read: from a query to its keys, or from a key to its queries.
enum class PieceSide { KeysOfQueries, QueriesOfKeys };

/// Returns the numbers that describe a piece to runtime/pieces (a piece of xfrt_tables::plans). With QueriesOfKeys,
/// queries and keys change places. Returns nullopt if a coefficient of a bound does not fit 63 bits, or if a bound has
/// more than 32 divisions.
std::optional<std::vector<int64_t>> toNumbers(PieceAttr piece, PieceSide side = PieceSide::KeysOfQueries);

/// A piece at the sizes of a call.
class SizedPiece {
public:
  /// Creates a piece with `numQueries` queries and `numKeys` keys. Returns nullopt if toNumbers does, or if there are
  /// more than 14 run-time symbols.
  static std::optional<SizedPiece> make(PieceAttr piece, int64_t numQueries, int64_t numKeys,
                                        ArrayRef<int64_t> symbols = {}, PieceSide side = PieceSide::KeysOfQueries);

  xfrt::PieceNumbers piece() const { return xfrt::PieceNumbers(numbers.data()); }
  const xfrt::Sizes &sizes() const { return known; }
  /// Returns the positions [begin, end) of the keys that query `x` may see by the bounds of the piece. With
  /// QueriesOfKeys, returns the positions of the queries that may see key `x`.
  xfrt::KeyRun operator()(int64_t x) const { return xfrt::evaluateBounds(piece().bounds, x, known, all); }

private:
  std::vector<int64_t> numbers;
  xfrt::Sizes known = {};
  xfrt::KeyRun all = {0, 0}; ///< all positions of the axis that is asked for
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PIECES_XFPIECENUMBERS_H
