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

static bool isGrid(Mode mode) { return mode.kind == Mode::Kind::Grid; }

void Sides::start(const Placement &placement) {
  this->placement = placement;
  queries.clear();
  keys.clear();
}

const Relation::Runs &Sides::queriesOf(const Relation &relation, Mode mode, int32_t rank) {
  bool isRow = isGrid(mode) && mode.rows > 1;
  int32_t columns = isRow ? placement.ranks / mode.rows : 0;
  auto [found, isNew] = queries.try_emplace({&relation, columns, isRow ? rank / columns : 0});
  if (isNew) {
    TokenSet all;
    if (relation.all().queries.size() > 0)
      all = {relation.all().queries};
    if (isRow)
      all = intersect(all, placement.tokensOf(rank / columns * columns, 1, columns));
    found->second = relation.makeRuns(std::move(all), false);
  }
  return found->second;
}

const Relation::Runs &Sides::keysOf(const Relation &relation, Mode mode, int32_t rank) {
  int32_t columns = isGrid(mode) ? placement.ranks / mode.rows : 1;
  auto [found, isNew] = keys.try_emplace({&relation, columns, rank % columns});
  if (isNew)
    found->second = relation.makeRuns(columns > 1 ? placement.tokensOf(rank % columns, columns, mode.rows)
                                                  : unite(std::vector<Interval>{relation.all().keys}),
                                      true);
  return found->second;
}

Interval Sides::residuesOf(const Relation &relation, Mode mode, int32_t rank) const {
  return mode.kind == Mode::Kind::Residues ? shareOf(relation.residues(), rank, placement.ranks)
                                           : relation.all().residues;
}

/// A key is needed where some query of the rank sees it, a query where it sees some key of the rank.
Share xfrt::plan::makeShare(const Relation &relation, Mode mode, Sides &sides, int32_t rank) {
  const Relation::Runs &queries = sides.queriesOf(relation, mode, rank), &keys = sides.keysOf(relation, mode, rank);
  Interval residues = sides.residuesOf(relation, mode, rank);
  Share share;
  share.keys = relation.findKeys(queries, keys, residues);
  share.queries = relation.findQueries(queries, keys, residues);
  return share;
}

TokenSet xfrt::plan::findNeeds(const Relation &relation, Mode mode, Sides &sides, int32_t rank, bool ofKeys,
                               Interval tokens) {
  const Relation::Runs &queries = sides.queriesOf(relation, mode, rank), &keys = sides.keysOf(relation, mode, rank);
  Interval residues = sides.residuesOf(relation, mode, rank);
  Relation::Runs some = relation.makeRuns(intersect({tokens}, ofKeys ? keys.tokens : queries.tokens), ofKeys);
  return ofKeys ? relation.findKeys(queries, some, residues) : relation.findQueries(some, keys, residues);
}

int64_t xfrt::plan::countShare(const Relation &relation, Mode mode, Sides &sides, int32_t rank) {
  return relation.countPairs(sides.queriesOf(relation, mode, rank).tokens, sides.keysOf(relation, mode, rank),
                             sides.residuesOf(relation, mode, rank));
}

/// How many parts of a piece all ranks together look at.
static int64_t countParts(const Relation &relation, Mode mode, const Placement &placement) {
  if (mode.kind != Mode::Kind::Grid)
    return relation.residues();
  int32_t columns = placement.ranks / mode.rows;
  int64_t rowRuns = 0, columnRuns = 0; // of all rows, and of all columns
  int32_t last = -1;
  for (size_t c = 0; c < placement.owners.size(); ++c) {
    int32_t owner = placement.owners[c];
    if (placement.bounds[c] == placement.bounds[c + 1])
      continue;
    rowRuns += last < 0 || last / columns != owner / columns;
    columnRuns += last < 0 || last % columns != owner % columns;
    last = owner;
  }
  int64_t runs =
      mode.rows > 1 && columns > 1 ? multiplySaturated(rowRuns, columnRuns) : int64_t(placement.owners.size());
  return multiplySaturated(runs, relation.residues());
}

std::vector<int64_t> xfrt::plan::countLoads(const Relation &relation, Mode mode, Sides &sides,
                                            const std::vector<int32_t> &sample) {
  const Placement &placement = sides.of();
  std::vector<int64_t> loads(placement.ranks);
  bool queriesStay = mode.kind != Mode::Kind::Grid || mode.rows == placement.ranks;
  if (countParts(relation, mode, placement) > (queriesStay ? mostPartsOfQueries : mostParts)) {
    for (int32_t rank : sample)
      loads[rank] = countShare(relation, mode, sides, rank);
    return loads;
  }
  for (int32_t rank = 0; rank < placement.ranks; ++rank)
    loads[rank] = countShare(relation, mode, sides, rank);
  return loads;
}
