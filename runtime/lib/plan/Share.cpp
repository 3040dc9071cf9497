//===- Share.cpp - What a rank computes of a piece ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Share.h"
#include "Integers.h"

using namespace xfrt::plan;

/// As many pairs of runs are looked at to count the pairs of every rank of a grid.
static constexpr int64_t mostPairsOfRuns = 1 << 15;

Interval xfrt::plan::shareOf(int64_t count, int32_t rank, int32_t ranks) {
  return {ceilDivide(rank * count, ranks), ceilDivide((rank + 1) * count, ranks)};
}

Interval xfrt::plan::keyHeadsOf(const Shape &shape, Interval heads) {
  if (heads.size() == 0)
    return {};
  int64_t group = shape.heads / shape.keyHeads;
  return {floorDivide(heads.begin, group), ceilDivide(heads.end, group)};
}

namespace {
/// The runs of queries and of keys of a rank of a grid, and its residues.
struct Sides {
  TokenSet queries;
  TokenSet keys;
  Interval residues;
};
} // namespace

static Sides findSides(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  Part all = relation.all();
  Sides sides = {{all.queries}, {all.keys}, all.residues};
  if (all.queries.size() == 0)
    sides.queries.clear();
  if (mode.kind == Mode::Kind::Residues)
    sides.residues = shareOf(relation.residues(), rank, placement.ranks);
  if (mode.kind != Mode::Kind::Grid)
    return sides;
  int32_t columns = placement.ranks / mode.rows;
  if (mode.rows > 1)
    sides.queries = intersect(sides.queries, placement.tokensOf(rank / columns * columns, 1, columns));
  if (columns > 1)
    sides.keys = placement.tokensOf(rank % columns, columns, mode.rows);
  return sides;
}

/// Calls `visit` with the parts that may have pairs.
template <typename Visit>
static void visitSides(const Relation &relation, const Sides &sides, Visit visit) {
  for (const Interval &queries : sides.queries) {
    if (sides.keys.size() == 1) {
      visit(Part{queries, sides.keys.front(), sides.residues});
      continue;
    }
    std::vector<Interval> seen;
    relation.addKeys({queries, relation.all().keys, sides.residues}, seen);
    Interval hull = {relation.all().keys.end, 0};
    for (const Interval &interval : seen)
      hull = {std::min(hull.begin, interval.begin), std::max(hull.end, interval.end)};
    for (const Interval &keys : sides.keys)
      if (intersect(keys, hull).size() > 0)
        visit(Part{queries, keys, sides.residues});
  }
}

Share xfrt::plan::makeShare(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  Share share;
  std::vector<Interval> keys, queries;
  visitSides(relation, findSides(relation, mode, placement, rank), [&](const Part &part) {
    share.pairs += relation.countPairs(part);
    relation.addKeys(part, keys);
    relation.addQueries(part, queries);
  });
  share.keys = unite(std::move(keys));
  share.queries = unite(std::move(queries));
  return share;
}

static int64_t countOf(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  int64_t pairs = 0;
  visitSides(relation, findSides(relation, mode, placement, rank),
             [&](const Part &part) { pairs += relation.countPairs(part); });
  return pairs;
}

std::vector<int64_t> xfrt::plan::countLoads(const Relation &relation, Mode mode, const Placement &placement,
                                            const std::vector<int32_t> &sample) {
  int32_t ranks = placement.ranks;
  std::vector<int64_t> loads(ranks);
  if (mode.kind == Mode::Kind::Grid && mode.rows > 1 && mode.rows < ranks) {
    int32_t columns = ranks / mode.rows;
    int64_t rowRuns = 0, columnRuns = 0;
    for (int32_t x = 0; x < mode.rows; ++x)
      rowRuns += int64_t(placement.tokensOf(x * columns, 1, columns).size());
    for (int32_t y = 0; y < columns; ++y)
      columnRuns += int64_t(placement.tokensOf(y, columns, mode.rows).size());
    if (multiplySaturated(rowRuns, columnRuns) > mostPairsOfRuns) {
      for (int32_t rank : sample)
        loads[rank] = countOf(relation, mode, placement, rank);
      return loads;
    }
  }
  for (int32_t rank = 0; rank < ranks; ++rank)
    loads[rank] = countOf(relation, mode, placement, rank);
  return loads;
}
