//===- Share.cpp - What a rank computes of a piece ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Share.h"
#include "Integers.h"

#include <map>

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

static bool isGrid(Mode mode) { return mode.kind == Mode::Kind::Grid; }

/// The queries that a rank computes with, if they see a key: those of its row of a grid, else all.
static TokenSet queriesOf(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  TokenSet all;
  if (relation.all().queries.size() > 0)
    all = {relation.all().queries};
  if (!isGrid(mode) || mode.rows == 1)
    return all;
  int32_t columns = placement.ranks / mode.rows;
  return intersect(all, placement.tokensOf(rank / columns * columns, 1, columns));
}

/// The keys that a rank computes with, if a query sees them: those of its column of a grid, else all.
static TokenSet keysOf(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  int32_t columns = isGrid(mode) ? placement.ranks / mode.rows : 1;
  return columns > 1 ? placement.tokensOf(rank % columns, columns, mode.rows) : TokenSet{relation.all().keys};
}

static Interval residuesOf(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  return mode.kind == Mode::Kind::Residues ? shareOf(relation.residues(), rank, placement.ranks)
                                           : relation.all().residues;
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
  return {queriesOf(relation, mode, placement, rank), keysOf(relation, mode, placement, rank),
          residuesOf(relation, mode, placement, rank)};
}

static Interval hullOf(const TokenSet &tokens) {
  return tokens.empty() ? Interval() : Interval{tokens.front().begin, tokens.back().end};
}

/// A key is needed where some query of the rank sees it, a query where it sees some key of the rank.
Share xfrt::plan::makeShare(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  Sides sides = findSides(relation, mode, placement, rank);
  Share share;
  share.keys = relation.findKeys(sides.queries, hullOf(sides.keys), sides.residues);
  share.queries = relation.findQueries(sides.keys, hullOf(sides.queries), sides.residues);
  if (sides.keys.size() > 1)
    share.keys = intersect(share.keys, sides.keys);
  if (sides.queries.size() > 1)
    share.queries = intersect(share.queries, sides.queries);
  return share;
}

TokenSet xfrt::plan::findNeeds(const Relation &relation, Mode mode, const Placement &placement, int32_t rank,
                               bool ofKeys, Interval tokens) {
  Sides sides = findSides(relation, mode, placement, rank);
  const TokenSet &mine = ofKeys ? sides.keys : sides.queries;
  TokenSet found;
  for (const Interval &run : intersect({tokens}, mine)) {
    TokenSet some = ofKeys ? relation.findKeys(sides.queries, run, sides.residues)
                           : relation.findQueries(sides.keys, run, sides.residues);
    found = unite(found, some);
  }
  return found;
}

int64_t xfrt::plan::countShare(const Relation &relation, Mode mode, const Placement &placement, int32_t rank) {
  Sides sides = findSides(relation, mode, placement, rank);
  return relation.countPairs(sides.queries, relation.makeKeyRuns(std::move(sides.keys)), sides.residues);
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
  bool countsAll = countParts(relation, mode, placement) <= (queriesStay ? mostPartsOfQueries : mostParts);
  std::map<int32_t, TokenSet> queries;       // of rows
  std::map<int32_t, Relation::KeyRuns> keys; // of columns
  int32_t columns = isGrid(mode) ? placement.ranks / mode.rows : 1;
  for (int32_t k = 0; k < (countsAll ? placement.ranks : int32_t(sample.size())); ++k) {
    int32_t rank = countsAll ? k : sample[k];
    auto [row, isNewRow] = queries.try_emplace(isGrid(mode) ? rank / columns : 0);
    if (isNewRow)
      row->second = queriesOf(relation, mode, placement, rank);
    auto [column, isNewColumn] = keys.try_emplace(rank % columns);
    if (isNewColumn)
      column->second = relation.makeKeyRuns(keysOf(relation, mode, placement, rank));
    loads[rank] = relation.countPairs(row->second, column->second, residuesOf(relation, mode, placement, rank));
  }
  return loads;
}
