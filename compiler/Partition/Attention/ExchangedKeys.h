//===- ExchangedKeys.h - Keys that ranks need of each other --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDKEYS_H
#define XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDKEYS_H

#include "compiler/Partition/Plan/PlanPieces.h"
#include "runtime/pieces/Seen.h"
#include <memory>

namespace mlir::xf {

/// Tells which keys ranks get from each other in an attention of known sizes. Each rank has `chunks` chunks of the
/// queries and of the keys. Queries are positions on the axis of keys.
class ExchangedKeys {
public:
  /// Creates the exchange for an attention with the pairs of `pieces`. Returns nullopt if a size, or a number of a
  /// piece, is out of the range of plans.
  static std::optional<ExchangedKeys> make(std::vector<plan::Piece> pieces, plan::Sizes sizes, int64_t ranks,
                                           int64_t chunks);

  plan::TokenSet keysOf(int64_t rank) const { return tokensOf(rank, sizes.keys, 0); }
  plan::TokenSet queriesOf(int64_t rank) const { return tokensOf(rank, sizes.queries, sizes.keys - sizes.queries); }
  /// Returns all keys that some query of rank `rank` sees, on this rank or on others. Ignores the queries in `without`.
  plan::TokenSet neededBy(int64_t rank, const plan::TokenSet &without = {});
  /// Returns the number of pairs whose query is in `queries`.
  int64_t countPairs(const plan::TokenSet &queries) const;
  /// Returns, for each piece, the queries of its pairs.
  SmallVector<plan::TokenSet> queriesOfPieces() const;

private:
  plan::TokenSet tokensOf(int64_t rank, int64_t count, int64_t first) const;

  plan::Sizes sizes;
  int64_t ranks = 1, chunks = 1;
  std::vector<plan::Piece> pieces;
  std::vector<uint8_t> marks;                         ///< one for each key
  std::vector<std::unique_ptr<xfrt::PieceSeen>> seen; ///< one for each piece; null if it has boxes
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_EXCHANGEDKEYS_H
