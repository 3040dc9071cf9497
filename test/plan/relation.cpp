//===- relation.cpp - Who sees whom, by the ends of runs -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairTable.h"

#include <gtest/gtest.h>

using namespace xfrt::plan;

static Relation relate(const Piece &piece, Sizes sizes) {
  Relation relation;
  std::string error;
  EXPECT_TRUE(relation.make(piece, sizes, {}, error)) << error;
  return relation;
}

/// What a part of a piece has, pair by pair.
static void expectPart(const Relation &relation, const PairTable &table, int piece, const Part &part, int64_t keys) {
  std::vector<Interval> seenKeys, seenQueries;
  int64_t pairs = 0;
  for (int64_t i = part.queries.begin; i < part.queries.end; ++i)
    for (int64_t j = part.keys.begin; j < part.keys.end; ++j)
      if (table.pieceOf(i, j) == piece && table.residueOf(i, j) >= part.residues.begin &&
          table.residueOf(i, j) < part.residues.end) {
        ++pairs;
        seenKeys.push_back({j, j + 1});
        seenQueries.push_back({i, i + 1});
      }
  std::vector<Interval> foundKeys, foundQueries;
  relation.addKeys(part, foundKeys);
  relation.addQueries(part, foundQueries);
  ASSERT_EQ(relation.countPairs(part), pairs) << keys;
  ASSERT_EQ(unite(foundKeys), unite(seenKeys)) << keys;
  ASSERT_EQ(unite(foundQueries), unite(seenQueries)) << keys;
}

static Interval drawInterval(Random &random, Interval inside) {
  if (inside.size() == 0)
    return inside;
  int64_t a = random.below(inside.size() + 1), b = random.below(inside.size() + 1);
  return {inside.begin + std::min(a, b), inside.begin + std::max(a, b)};
}

/// All of each piece, and parts of it.
static void expectPieces(const std::vector<Piece> &pieces, Sizes sizes, uint64_t seed, bool areDisjoint) {
  PairTable table;
  Random random(seed);
  for (size_t p = 0; p < pieces.size(); ++p) {
    ASSERT_TRUE(table.add(pieces[p], sizes) || !areDisjoint) << p;
    Relation relation = relate(pieces[p], sizes);
    Part all = relation.all();
    expectPart(relation, table, int(p), all, sizes.keys);
    for (int draw = 0; draw < 8; ++draw)
      expectPart(relation, table, int(p),
                 {drawInterval(random, all.queries), drawInterval(random, all.keys),
                  draw % 2 == 0 ? all.residues : drawInterval(random, all.residues)},
                 sizes.keys);
  }
}

TEST(Relation, AgreesWithPairs) {
  for (const std::string &name : smallNames())
    for (int64_t keys : {1, 2, 15, 17, 97, 256, 511, 1021}) {
      SCOPED_TRACE(name + " of " + std::to_string(keys));
      expectPieces(loadPieces(name), {keys, keys}, uint64_t(keys), true);
    }
}

TEST(Relation, AgreesWithPairsOfFewerQueries) {
  for (const std::string &name : smallNames())
    for (int64_t queries : {0, 1, 40}) {
      SCOPED_TRACE(name + ", " + std::to_string(queries) + " queries");
      expectPieces(loadPieces(name), {queries, 300}, 1, true);
    }
}

TEST(Relation, AgreesWithPairsInBoxes) {
  for (const std::string &name : smallNames())
    for (const std::vector<int64_t> &lengths : {std::vector<int64_t>{80, 20, 260, 6}, {1, 2, 3}, {300}}) {
      SCOPED_TRACE(name + " in boxes of " + std::to_string(lengths[0]));
      std::vector<Piece> pieces = loadPieces(name);
      for (Piece &piece : pieces) {
        piece.hasBoxes = true;
        piece.boxes = makeBoxes(300, lengths);
      }
      expectPieces(pieces, {300, 300}, 2, true);
    }
}

/// constant + factor x + weight floor((numerator x + shift) / divisor)
static Form drawForm(Random &random) {
  Form form;
  form.result.constant = random.below(60) - 30;
  form.result.factor = random.below(4) - 1;
  if (random.below(2)) {
    form.divisions.push_back({{random.below(9), random.below(3), {}, {}}, 1 + random.below(9)});
    form.result.divisions = {random.below(9) - 4};
  }
  return form;
}

static IndexMap drawMap(Random &random, int64_t residues) {
  IndexMap map;
  if (residues == 1 && random.below(2)) {
    map.period = 1 + random.below(9);
    map.width = 1 + random.below(map.period);
    map.offset = random.below(map.period - map.width + 1);
  } else if (residues > 1) {
    map.residues = residues;
    map.cell = 1 + random.below(4);
    map.period = residues * map.cell;
    map.width = 1 + random.below(map.cell);
    map.offset = random.below(map.cell - map.width + 1);
    map.multiplier = 1 + random.below(residues - 1);
    map.shift = random.below(residues);
  }
  return map;
}

/// Of drawn pieces some are regular and some are not; those whose residues share pairs are left out.
TEST(Relation, AgreesWithPairsOfDrawnPieces) {
  int regular = 0, irregular = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed * 7919 + 1);
    Piece piece;
    piece.residues = random.below(2) ? 1 : 2 + random.below(5);
    piece.queries = drawMap(random, random.below(4) ? piece.residues : 1);
    piece.keys = drawMap(random, random.below(4) ? piece.residues : 1);
    for (auto *forms : {&piece.lower, &piece.upper, &piece.rows})
      for (int64_t count = random.below(3); count > 0; --count)
        forms->push_back(drawForm(random));
    Sizes sizes = {1 + random.below(90), 90};
    PairTable table;
    if (!table.add(piece, sizes))
      continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ++(relate(piece, sizes).isRegular() ? regular : irregular);
    expectPieces({piece}, sizes, seed, false);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(regular, 300);
  EXPECT_GT(irregular, 300);
}

/// What planning in time rests on: ends of runs suffice for everything that the compiler prints here.
TEST(Relation, PiecesOfPatternsAreRegular) {
  for (int64_t keys : {1000, 1024, 4096})
    for (const std::string &name : smallNames())
      for (const Piece &piece : loadPieces(name))
        EXPECT_TRUE(relate(piece, {keys, keys}).isRegular()) << name << " of " << keys;
  for (const std::string &name : largeNames())
    for (const Piece &piece : loadPieces(name))
      EXPECT_TRUE(relate(piece, {1 << 20, 1 << 20}).isRegular()) << name;
}

/// Counts of long runs are sums of lines; in short runs rows are counted one by one.
TEST(Relation, CountsOfLongRunsAreThoseOfShortOnes) {
  for (const std::string &name : largeNames())
    for (const Piece &piece : loadPieces(name)) {
      int64_t keys = (1 << 17) - 3;
      Relation relation = relate(piece, {keys, keys});
      std::vector<int64_t> bounds;
      for (int64_t bound = 0; bound < keys; bound += 61)
        bounds.push_back(bound);
      bounds.push_back(keys);
      int64_t sum = 0;
      for (size_t c = 0; c + 1 < bounds.size(); ++c) {
        Part part = relation.all();
        part.queries = {bounds[c], bounds[c + 1]};
        sum += relation.countPairs(part);
      }
      EXPECT_EQ(relation.countPairs(relation.all()), sum) << name;
    }
}

static std::string errorOf(const Piece &piece, Sizes sizes) {
  Relation relation;
  std::string error;
  EXPECT_FALSE(relation.make(piece, sizes, {}, error));
  return error;
}

TEST(Relation, RefusesNumbersOutOfRange) {
  Piece piece;
  EXPECT_EQ(errorOf(piece, {1, int64_t(1) << 40}), "expected between 0 and 2147483647 keys, got 1099511627776");
  EXPECT_EQ(errorOf(piece, {-1, 4}), "expected between 0 and 4 queries, the number of keys, got -1");
  EXPECT_EQ(errorOf(piece, {5, 4}), "expected between 0 and 4 queries, the number of keys, got 5");
  piece.residues = 0;
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected between 1 and 2^24 residues of a piece, got 0");
  piece = {};
  piece.keys.period = 0;
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected residues, period, width and cell of an index map in [1, 2^31), got 0");
  piece = {};
  piece.keys = {.residues = 3, .period = 3, .multiplier = 1};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected an index map of 1 or 1 residues, got 3");
  piece = {};
  piece.upper = {{{}, {int64_t(1) << 61, 0, {}, {}}}};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected a bound below 2^60, got a larger constant");
  piece.upper = {{{}, {0, int64_t(1) << 40, {}, {}}}};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected a bound below 2^60, got a larger one");
  piece.upper = {{{{{0, 1, {}, {}}, 0}}, {}}};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected a positive divisor, got 0");
  piece.upper = {{{}, {0, 0, {0, 0, 1}, {}}}};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected a bound over 2 symbols and 0 divisions, got 3 and 0");
  piece = {};
  piece.hasBoxes = true;
  piece.boxes = {{{0, 5}, {0, 4}}};
  EXPECT_EQ(errorOf(piece, {4, 4}), "expected box 0 within the keys, got 5");
}
