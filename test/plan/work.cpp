//===- work.cpp - Bands and counts of pieces, by membership ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runtime/pieces finds from the ends of runs and in closed form, compared with pairs one by one: of drawn pieces
// and those of patterns at all sizes up to 12, and at some larger ones.
//
//===----------------------------------------------------------------------===//

#include "pieces/Work.h"
#include "PairTable.h"
#include "pieces/Bands.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace xfrt;
using plan::Form;
using plan::Piece;
using plan::Random;

namespace {
/// The pairs of one piece, residue by residue, from the definition.
class Oracle {
public:
  Oracle(const Piece &piece, plan::Sizes sizes) : piece(piece), sizes(sizes) { isOnce = table.add(piece, sizes); }

  Work work(KeyRun queries, WorkTile tile) const;
  /// The numbers of keys that a query sees, in the order of a residue; empty where it sees none.
  KeyRun seenBy(int64_t residue, int64_t query) const;

  bool isOnce;

private:
  std::vector<int64_t> tokensOf(const plan::IndexMap &map, int64_t residue, KeyRun tokens) const;

  const Piece &piece;
  const plan::Sizes sizes;
  plan::PairTable table;
};
} // namespace

std::vector<int64_t> Oracle::tokensOf(const plan::IndexMap &map, int64_t residue, KeyRun tokens) const {
  const int64_t cell = (map.multiplier * residue + map.shift) % map.residues;
  std::vector<int64_t> reached;
  for (int64_t x = tokens.begin; x < tokens.end; ++x)
    for (int64_t w = 0; w < map.width; ++w)
      if ((x - w - map.offset - map.cell * cell) % map.period == 0) {
        reached.push_back(x);
        break;
      }
  return reached;
}

KeyRun Oracle::seenBy(int64_t residue, int64_t query) const {
  KeyRun run = {0, 0};
  int64_t number = 0;
  for (int64_t key : tokensOf(piece.keys, residue, {0, sizes.keys})) {
    if (table.has(query, key) && table.residueOf(query, key) == residue)
      run = run.isEmpty() ? KeyRun{number, number + 1} : KeyRun{run.begin, number + 1};
    ++number;
  }
  return run;
}

Work Oracle::work(KeyRun queries, WorkTile tile) const {
  Work work;
  for (int64_t residue = 0; residue < piece.residues; ++residue) {
    const std::vector<int64_t> rows = tokensOf(piece.queries, residue, queries);
    for (size_t first = 0; first < rows.size(); first += size_t(tile.rows)) {
      KeyRun all = {INT64_MAX, INT64_MIN};
      for (size_t row = first; row < std::min(rows.size(), first + size_t(tile.rows)); ++row)
        if (const KeyRun seen = seenBy(residue, rows[row]); !seen.isEmpty()) {
          work.pairs += seen.end - seen.begin;
          all = {std::min(all.begin, seen.begin), std::max(all.end, seen.end)};
        }
      if (!all.isEmpty())
        work.executed += tile.rows * ((all.end + tile.keys - 1) / tile.keys - all.begin / tile.keys) * tile.keys;
    }
  }
  return work;
}

static Sizes sizesOf(plan::Sizes sizes) { return {{sizes.queries, sizes.keys}}; }

static bool isSame(KeyRun a, KeyRun b) { return a == b || (a.isEmpty() && b.isEmpty()); }

/// The band of a residue has the rows that see a key, and what a run of them sees is one interval.
static void expectBands(const Bands &bands, const Oracle &oracle, int64_t residues, KeyRun queries) {
  for (int64_t residue = 0; residue < residues; ++residue) {
    const KeyRun rows = bands.rowsOf(residue, queries), band = intersect(bands.seeing(residue), rows);
    KeyRun all = {0, 0};
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      const KeyRun seen = oracle.seenBy(residue, bands.positionOf(residue, row));
      ASSERT_EQ(seen.isEmpty(), row < band.begin || row >= band.end);
      ASSERT_TRUE(isSame(bands.seenBy(residue, row), seen));
      if (!seen.isEmpty())
        all = all.isEmpty() ? seen : KeyRun{all.begin, seen.end};
    }
    ASSERT_TRUE(isSame(bands.seenByRows(residue, rows), all));
  }
}

/// Returns whether the rows of every residue are a band.
static bool expectPiece(const Piece &piece, plan::Sizes known, const Oracle &oracle, KeyRun queries) {
  const std::vector<int64_t> plan = plan::writeNumbers({piece});
  const PieceNumbers numbers(plan.data() + 2); // behind the numbers of chunks and pieces
  const Sizes sizes = sizesOf(known);
  for (WorkTile tile : {WorkTile{1, 1}, WorkTile{3, 2}, WorkTile{4, 8}}) {
    const Work expected = oracle.work(queries, tile);
    Work found;
    EXPECT_TRUE(addWork(numbers, sizes, queries, tile, INT64_MAX, found));
    EXPECT_EQ(found.pairs, expected.pairs) << tile.rows << " x " << tile.keys;
    EXPECT_EQ(found.executed, expected.executed) << tile.rows << " x " << tile.keys;
  }
  Bands bands(numbers, sizes);
  EXPECT_TRUE(bands.find());
  if (bands.areRegular())
    expectBands(bands, oracle, piece.residues, queries);
  return bands.areRegular();
}

/// constant + factor x + weight floor((numerator x + shift) / divisor), with sizes
static Form drawForm(Random &random) {
  Form form;
  form.result.constant = random.below(16) - 8;
  form.result.factor = random.below(4) - 1;
  if (random.below(3) == 0)
    form.result.symbols = {0, 1};
  if (random.below(2)) {
    form.divisions.push_back({{random.below(9), random.below(3), {}, {}}, 1 + random.below(5)});
    form.result.divisions = {random.below(7) - 3};
  }
  return form;
}

static plan::IndexMap drawMap(Random &random, int64_t residues) {
  plan::IndexMap map;
  if (residues == 1 && random.below(2)) {
    map.period = 1 + random.below(5);
    map.width = 1 + random.below(map.period);
    map.offset = random.below(map.period - map.width + 1);
  } else if (residues > 1) {
    map.residues = residues;
    map.cell = 1 + random.below(3);
    map.period = residues * map.cell;
    map.width = 1 + random.below(map.cell);
    map.offset = random.below(map.cell - map.width + 1);
    map.multiplier = 1 + random.below(residues - 1);
    map.shift = random.below(residues);
  }
  return map;
}

/// Pieces whose residues share pairs are none.
static Piece drawPiece(Random &random) {
  Piece piece;
  piece.residues = random.below(2) ? 1 : 2 + random.below(3);
  piece.queries = drawMap(random, piece.residues);
  piece.keys = random.below(4) ? piece.queries : drawMap(random, piece.residues);
  for (auto *forms : {&piece.lower, &piece.upper, &piece.rows})
    for (int64_t count = random.below(3); count > 0; --count)
      forms->push_back(drawForm(random));
  return piece;
}

TEST(Pieces, AgreeWithMembershipAtAllSmallSizes) {
  int regular = 0, irregular = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed * 7919 + 1);
    const Piece piece = drawPiece(random);
    for (int64_t keys = 1; keys <= 12; ++keys)
      for (int64_t queries = 0; queries <= keys; ++queries) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(queries) + " x " + std::to_string(keys));
        const Oracle oracle(piece, {queries, keys});
        if (oracle.isOnce)
          ++(expectPiece(piece, {queries, keys}, oracle, {keys - queries, keys}) ? regular : irregular);
        if (testing::Test::HasFailure())
          return;
      }
  }
  EXPECT_GT(regular, 1000);
  EXPECT_GT(irregular, 1000);
}

/// Several periods of the bounds, and some of the queries.
TEST(Pieces, AgreeWithMembershipAtLargerSizes) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed * 104729 + 3);
    const Piece piece = drawPiece(random);
    const plan::Sizes sizes = {60 + random.below(37), 97};
    const int64_t first = sizes.keys - sizes.queries, a = random.below(sizes.queries), b = random.below(sizes.queries);
    const Oracle oracle(piece, sizes);
    if (oracle.isOnce)
      expectPiece(piece, sizes, oracle, {first + std::min(a, b), first + std::max(a, b)});
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(Pieces, OfPatternsAgreeWithMembership) {
  for (const std::string &name : plan::smallNames())
    for (const plan::Sizes sizes : {plan::Sizes{97, 97}, {40, 150}})
      for (const Piece &piece : plan::loadPieces(name)) {
        SCOPED_TRACE(name);
        expectPiece(piece, sizes, Oracle(piece, sizes), {sizes.keys - sizes.queries, sizes.keys});
      }
}

/// Counts the pairs of a piece in closed form, and row by row.
static void expectSums(const Piece &piece, plan::Sizes known) {
  const std::vector<int64_t> plan = plan::writeNumbers({piece});
  const PieceNumbers numbers(plan.data() + 2);
  const Sizes sizes = sizesOf(known);
  const KeyRun queries = {known.keys - known.queries, known.keys};
  const Bands bands(numbers, sizes);
  int64_t pairs = 0;
  for (int64_t residue = 0; residue < piece.residues; ++residue)
    for (int64_t row = bands.rowsOf(residue, queries).begin; row < bands.rowsOf(residue, queries).end; ++row) {
      const KeyRun seen = bands.seenBy(residue, row);
      pairs += std::max<int64_t>(0, seen.end - seen.begin);
    }
  Work work;
  EXPECT_TRUE(addWork(numbers, sizes, queries, {}, INT64_MAX, work));
  EXPECT_EQ(work.pairs, pairs);
}

TEST(Pieces, OfLongSequencesAreSummed) {
  for (const std::string &name : plan::largeNames())
    for (const Piece &piece : plan::loadPieces(name)) {
      SCOPED_TRACE(name);
      expectSums(piece, {(1 << 18) - 3, (1 << 18) - 3});
    }
}

TEST(Pieces, OfMoreQueriesThanKeysAreSummed) {
  for (const std::string &name : plan::smallNames())
    for (const Piece &piece : plan::loadPieces(name)) {
      SCOPED_TRACE(name);
      expectSums(piece, {500, 97});
      expectSums(piece, {100, 1});
    }
}
