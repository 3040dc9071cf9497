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
  constexpr int32_t part = 32; // of the ranks: of more the chunks are looked at in order, so that nothing is sorted
  std::vector<Interval> intervals;
  if (isDealt && count > ranks / part) {
    std::vector<bool> has(ranks);
    for (int32_t r = 0; r < count; ++r)
      has[first + int64_t(step) * r] = true;
    for (size_t c = 0; c < owners.size(); ++c)
      if (has[owners[c]])
        intervals.push_back({bounds[c], bounds[c + 1]});
    return unite(std::move(intervals));
  }
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

/// The places of the chunks with one of some tokens; once so many are found, no more chunks are looked at.
template <typename PlaceOf>
std::vector<int32_t> Placement::findPlaces(const TokenSet &set, int32_t count, int32_t left, PlaceOf placeOf) const {
  std::vector<bool> has(count);
  size_t chunk = 0; // the first that does not end before the next interval
  for (const Interval &interval : set) {
    if (bounds[chunk + 1] <= interval.begin)
      chunk = std::upper_bound(bounds.begin() + chunk, bounds.end(), interval.begin) - bounds.begin() - 1;
    for (; left > 0 && chunk < owners.size() && bounds[chunk] < interval.end; ++chunk)
      if (int32_t place = placeOf(owners[chunk]); bounds[chunk] < bounds[chunk + 1] && !has[place]) {
        has[place] = true;
        --left;
      }
    if (left == 0)
      break;
    --chunk; // the next interval may begin there
  }
  std::vector<int32_t> places;
  for (int32_t place = 0; place < count; ++place)
    if (has[place])
      places.push_back(place);
  return places;
}

std::vector<int32_t> Placement::rowsOf(const TokenSet &set, int32_t columns) const {
  return findPlaces(set, ranks / columns, ranks / columns, [=](int32_t owner) { return owner / columns; });
}

int32_t Placement::countOwners(const TokenSet &set, int32_t most) const {
  return int32_t(findPlaces(set, ranks, std::min(ranks, most), [](int32_t owner) { return owner; }).size());
}

std::vector<int32_t> Placement::columnsOf(const TokenSet &set, int32_t columns) const {
  return findPlaces(set, columns, columns, [=](int32_t owner) { return owner % columns; });
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
