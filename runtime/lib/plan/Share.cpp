//===- Share.cpp - What a rank computes of a piece ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Share.h"
#include "Integers.h"

using namespace xfrt::plan;

/// So many parts of a piece (of a run of queries, a run of keys and a residue) are looked at to count the pairs of
/// every rank: many where queries stay, whose counts are two sums.
static constexpr int64_t mostParts = 1 << 10;
static constexpr int64_t mostPartsOfQueries = 1 << 14;

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

/// How many parts of a piece all ranks together look at.
static int64_t countParts(const Relation &relation, Mode mode, const Placement &placement) {
  if (mode.kind != Mode::Kind::Grid)
    return relation.residues();
  int32_t columns = placement.ranks / mode.rows;
  int64_t rowRuns = 0, columnRuns = 0;
  for (int32_t x = 0; x < mode.rows && columns > 1; ++x)
    rowRuns += int64_t(placement.tokensOf(x * columns, 1, columns).size());
  for (int32_t y = 0; y < columns && mode.rows > 1; ++y)
    columnRuns += int64_t(placement.tokensOf(y, columns, mode.rows).size());
  int64_t runs =
      mode.rows > 1 && columns > 1 ? multiplySaturated(rowRuns, columnRuns) : int64_t(placement.owners.size());
  return multiplySaturated(runs, relation.residues());
}

std::vector<int64_t> xfrt::plan::countLoads(const Relation &relation, Mode mode, const Placement &placement,
                                            const std::vector<int32_t> &sample) {
  std::vector<int64_t> loads(placement.ranks);
  bool queriesStay = mode.kind != Mode::Kind::Grid || mode.rows == placement.ranks;
  if (countParts(relation, mode, placement) > (queriesStay ? mostPartsOfQueries : mostParts)) {
    for (int32_t rank : sample)
      loads[rank] = countOf(relation, mode, placement, rank);
    return loads;
  }
  for (int32_t rank = 0; rank < placement.ranks; ++rank)
    loads[rank] = countOf(relation, mode, placement, rank);
  return loads;
}
