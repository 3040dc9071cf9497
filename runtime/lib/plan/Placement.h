//===- Placement.h - Which rank has which tokens ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_PLACEMENT_H
#define XFRT_LIB_PLAN_PLACEMENT_H

#include "TokenSet.h"

#include <cstdint>
#include <vector>

namespace xfrt::plan {

/// The tokens 0 .. tokens - 1 in chunks of equal length (but for one token, or one granule), the same number of chunks
/// for every rank. Ranks may have none where there are more of them than tokens.
struct Placement {
  int32_t ranks = 1;
  int32_t chunksPerRank = 1;
  bool isDealt = false;
  std::vector<int64_t> bounds = {0, 0}; // of chunks; one more than there are
  std::vector<int32_t> owners = {0};    // of chunks
  std::vector<int32_t> chunks = {0};    // those of rank 0 in ascending order, of rank 1, ..

  /// The tokens of the ranks first, first + step, .. of which there are `count`.
  TokenSet tokensOf(int32_t first, int32_t step = 1, int32_t count = 1) const;
  int64_t tokens() const { return bounds.back(); }
  /// The ranks that own one of some tokens, in ascending order.
  std::vector<int32_t> ownersOf(const TokenSet &set) const;
  /// How many ranks own one of some tokens, counted up to `most`.
  int32_t countOwners(const TokenSet &set, int32_t most) const;
  /// The rows, and the columns, of a grid of so many columns with one of them, in ascending order.
  std::vector<int32_t> rowsOf(const TokenSet &set, int32_t columns) const;
  std::vector<int32_t> columnsOf(const TokenSet &set, int32_t columns) const;

private:
  template <typename PlaceOf>
  std::vector<int32_t> findPlaces(const TokenSet &set, int32_t count, int32_t left, PlaceOf placeOf) const;
};

/// The ends of `chunks` chunks: multiples of `granule`, or the number of tokens.
std::vector<int64_t> cutTokens(int64_t tokens, int64_t chunks, int64_t granule);

/// One chunk for each rank, in order.
Placement placeInOrder(int64_t tokens, int32_t ranks, int64_t granule);

/// Chunks by falling weight; of each turn of `ranks` chunks the heaviest goes to the rank with least so far. Equal ones
/// go in the order of chunks, and of ranks.
Placement dealChunks(int64_t tokens, int32_t ranks, int64_t granule, const std::vector<int64_t> &weights);

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_PLACEMENT_H
