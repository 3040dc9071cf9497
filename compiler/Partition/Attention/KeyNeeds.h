//===- KeyNeeds.h - Keys that ranks need of each other ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_KEYNEEDS_H
#define XF_COMPILER_PARTITION_ATTENTION_KEYNEEDS_H

#include "mlir/Support/LLVM.h"
#include "runtime/lib/plan/Relation.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::xf {

/// Which keys ranks need of an attention at known sizes, whose queries and keys they share, in so many chunks of each
/// rank. Queries are positions on the axis of keys.
class KeyNeeds {
public:
  /// Returns nullopt where a size or a number of a piece is out of the range of plans.
  static std::optional<KeyNeeds> make(ArrayRef<xfrt::plan::Piece> pieces, xfrt::plan::Sizes sizes, int64_t ranks,
                                      int64_t chunks);

  xfrt::plan::TokenSet keysOf(int64_t rank) const { return tokensOf(rank, sizes.keys, 0); }
  xfrt::plan::TokenSet queriesOf(int64_t rank) const {
    return tokensOf(rank, sizes.queries, sizes.keys - sizes.queries);
  }
  /// Returns the keys that a rank's queries see, its own among them; the queries of `without` see none.
  xfrt::plan::TokenSet neededBy(int64_t rank, const xfrt::plan::TokenSet &without = {}) const;
  /// Returns the number of pairs of some queries.
  int64_t countPairs(const xfrt::plan::TokenSet &queries) const;
  /// Returns the queries of each piece.
  SmallVector<xfrt::plan::TokenSet> queriesOfPieces() const;

private:
  xfrt::plan::TokenSet tokensOf(int64_t rank, int64_t count, int64_t first) const;

  xfrt::plan::Sizes sizes;
  int64_t ranks = 1, chunks = 1;
  std::vector<xfrt::plan::Relation> relations;
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_KEYNEEDS_H
