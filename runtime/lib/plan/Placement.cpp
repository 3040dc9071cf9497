//===- Placement.cpp - Which rank has which tokens ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"
#include "Integers.h"

#include <algorithm>

using namespace xfrt::plan;

std::vector<int64_t> xfrt::plan::cutTokens(int64_t tokens, int64_t chunks, int64_t granule) {
  std::vector<int64_t> bounds(chunks + 1);
  int64_t granules = ceilDivide(tokens, granule);
  for (int64_t c = 0; c <= chunks; ++c)
    bounds[c] = std::min(tokens, c * granules / chunks * granule);
  return bounds;
}

TokenSet Placement::tokensOf(int32_t first, int32_t step, int32_t count) const {
  std::vector<Interval> intervals;
  for (int32_t r = 0; r < count; ++r)
    for (int32_t k = 0; k < chunksPerRank; ++k) {
      int32_t chunk = chunks[(first + int64_t(step) * r) * chunksPerRank + k];
      intervals.push_back({bounds[chunk], bounds[chunk + 1]});
    }
  return unite(std::move(intervals));
}

std::vector<int32_t> Placement::ownersOf(const TokenSet &set) const {
  std::vector<int32_t> found;
  size_t chunk = 0; // the first that does not end before the next interval
  for (const Interval &interval : set) {
    if (bounds[chunk + 1] <= interval.begin)
      chunk = std::upper_bound(bounds.begin() + chunk, bounds.end(), interval.begin) - bounds.begin() - 1;
    for (; chunk < owners.size() && bounds[chunk] < interval.end; ++chunk)
      if (bounds[chunk] < bounds[chunk + 1] && (found.empty() || found.back() != owners[chunk]))
        found.push_back(owners[chunk]);
    --chunk; // the next interval may begin there
  }
  if (!std::is_sorted(found.begin(), found.end()))
    std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Sets `chunks` from `owners`.
static void listChunks(Placement &placement) {
  std::vector<int32_t> count(placement.ranks);
  placement.chunks.resize(placement.owners.size());
  for (size_t c = 0; c < placement.owners.size(); ++c) {
    int32_t owner = placement.owners[c];
    placement.chunks[int64_t(owner) * placement.chunksPerRank + count[owner]++] = int32_t(c);
  }
}

Placement xfrt::plan::placeInOrder(int64_t tokens, int32_t ranks, int64_t granule) {
  Placement placement = {ranks, 1, false, cutTokens(tokens, ranks, granule), std::vector<int32_t>(ranks), {}};
  std::iota(placement.owners.begin(), placement.owners.end(), 0);
  listChunks(placement);
  return placement;
}

Placement xfrt::plan::dealChunks(int64_t tokens, int32_t ranks, int64_t granule, const std::vector<int64_t> &weights) {
  int32_t chunks = int32_t(weights.size());
  Placement placement = {ranks, chunks / ranks, true, cutTokens(tokens, chunks, granule), std::vector<int32_t>(chunks),
                         {}};
  std::vector<int32_t> order(chunks), turn(ranks);
  std::vector<int64_t> loads(ranks);
  std::iota(order.begin(), order.end(), 0);
  std::iota(turn.begin(), turn.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; });
  for (int32_t first = 0; first < chunks; first += ranks) {
    std::sort(turn.begin(), turn.end(),
              [&](int32_t a, int32_t b) { return loads[a] != loads[b] ? loads[a] < loads[b] : a < b; });
    std::vector<int64_t> before = loads;
    for (int32_t place = 0; place < ranks; ++place) {
      int32_t chunk = order[first + place];
      placement.owners[chunk] = turn[place];
      loads[turn[place]] = before[turn[place]] + weights[chunk];
    }
  }
  listChunks(placement);
  return placement;
}
