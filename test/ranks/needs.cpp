//===- needs.cpp - Which keys ranks send each other -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime makes of a plan's numbers, compared with pairs one by one and, at larger sizes, with lib/plan.
//
//===----------------------------------------------------------------------===//

#include "lib/ranks/Needs.h"
#include "lib/plan/Relation.h"
#include "test/plan/PairTable.h"

#include <gtest/gtest.h>
#include <limits>
#include <tuple>

using namespace xfrt;
using plan::Interval;
using plan::Piece;
using plan::TokenSet;

static TokenSet setOf(const Needs::Runs &runs) {
  std::vector<Interval> all;
  for (const KeyRun &run : runs)
    all.push_back({run.begin, run.end});
  const TokenSet set = plan::unite(std::move(all)); // runs end where chunks do
  EXPECT_EQ(runs.keys, countTokens(set));
  return set;
}

/// The keys that the queries of each rank see.
using Seen = std::vector<TokenSet>;

/// The rows of a rank, of which it has so many in chunks that are dealt.
static TokenSet rowsOf(int64_t rows, int64_t chunks, int64_t rank, int64_t ranks) {
  std::vector<Interval> set;
  for (int64_t turn = 0; turn < chunks; ++turn) {
    const int64_t chunk = turn % 2 == 0 ? turn * ranks + rank : (turn + 1) * ranks - 1 - rank;
    set.push_back({chunk * (rows / chunks), (chunk + 1) * (rows / chunks)});
  }
  return plan::unite(std::move(set));
}

/// Of each rank: receives what its queries see of others, and sends what theirs see of its own keys.
static void expectNeeds(const std::vector<Piece> &pieces, int64_t queries, int64_t keys, const Seen &seen,
                        int64_t chunks = 1) {
  const std::vector<int64_t> numbers = plan::writeNumbers(pieces, chunks);
  ASSERT_TRUE(holdsPlan(numbers.data(), numbers.data() + numbers.size()));
  const auto ranks = int32_t(seen.size());
  for (int32_t own = 0; own < ranks; ++own) {
    Needs needs;
    ASSERT_TRUE(needs.find(numbers.data(), queries, keys, ranks, own));
    for (int32_t other = 0; other < ranks; ++other) {
      const TokenSet theirs = rowsOf(keys, chunks, other, ranks), mine = rowsOf(keys, chunks, own, ranks);
      const bool travels = other != own && keys > 0;
      EXPECT_EQ(setOf(needs.receivedFrom(other)), travels ? intersect(seen[size_t(own)], theirs) : TokenSet{});
      EXPECT_EQ(setOf(needs.sentTo(other)), travels ? intersect(seen[size_t(other)], mine) : TokenSet{});
    }
  }
}

/// Compares the needs of the patterns of test/plan with their pairs.
static void expectNeedsOfPairs(int32_t ranks, int64_t queries, int64_t keys, int64_t chunks) {
  for (const std::string &name : plan::smallNames()) {
    SCOPED_TRACE(name + " of " + std::to_string(queries) + " and " + std::to_string(keys) + " on " +
                 std::to_string(ranks) + " in " + std::to_string(chunks));
    const std::vector<Piece> pieces = plan::loadPieces(name);
    const plan::Sizes sizes = {queries * ranks, keys * ranks};
    plan::PairTable table;
    for (const Piece &piece : pieces)
      table.add(piece, sizes);
    Seen seen;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      std::vector<Interval> tokens;
      for (const Interval &rows : rowsOf(queries, chunks, rank, ranks))
        for (int64_t i = rows.begin; i < rows.end; ++i)
          for (int64_t j = 0; j < sizes.keys; ++j)
            if (table.has(sizes.keys - sizes.queries + i, j))
              tokens.push_back({j, j + 1});
      seen.push_back(plan::unite(std::move(tokens)));
    }
    expectNeeds(pieces, queries, keys, seen, chunks);
  }
}

TEST(Needs, AreThoseOfPairs) {
  for (int32_t ranks : {1, 2, 3, 4, 8})
    for (auto [queries, keys] : {std::pair<int64_t, int64_t>{1, 1}, {17, 17}, {32, 32}, {20, 37}, {0, 5}})
      expectNeedsOfPairs(ranks, queries, keys, 1);
}

TEST(Needs, AreThoseOfDealtPairs) {
  for (int32_t ranks : {1, 2, 3, 4})
    for (auto [queries, keys, chunks] : {std::tuple<int64_t, int64_t, int64_t>{2, 2, 2},
                                         {18, 18, 2},
                                         {18, 18, 3},
                                         {32, 32, 4},
                                         {20, 36, 2},
                                         {0, 4, 4}})
      expectNeedsOfPairs(ranks, queries, keys, chunks);
}

TEST(Needs, AreThoseOfPlans) {
  for (const std::string &name : plan::largeNames()) {
    SCOPED_TRACE(name);
    constexpr int64_t keys = 5000;
    constexpr int32_t ranks = 4;
    const std::vector<Piece> pieces = plan::loadPieces(name);
    Seen seen;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      std::vector<Interval> tokens;
      for (const Piece &piece : pieces) {
        plan::Relation relation;
        std::string error;
        ASSERT_TRUE(relation.make(piece, {keys * ranks, keys * ranks}, {}, error)) << error;
        plan::Part part = relation.all();
        part.queries = {rank * keys, (rank + 1) * keys};
        relation.addKeys(part, tokens);
      }
      seen.push_back(plan::unite(std::move(tokens)));
    }
    expectNeeds(pieces, keys, keys, seen);
  }
}

TEST(Needs, AreThoseOfBoxes) {
  Piece boxes;
  boxes.hasBoxes = true;
  boxes.boxes = {{{0, 3}, {0, 2}}, {{5, 9}, {4, 11}}, {{6, 7}, {1, 2}}};
  const std::vector<Piece> window = plan::loadPieces("window");
  expectNeeds({boxes}, 4, 4, {{{0, 2}}, {{1, 2}, {4, 11}}, {{4, 11}}});
  std::vector<Piece> both = window;
  both.push_back(boxes);
  const std::vector<int64_t> numbers = plan::writeNumbers(both);
  EXPECT_TRUE(holdsPlan(numbers.data(), numbers.data() + numbers.size()));
}

TEST(Needs, ChangeWithSizes) {
  const std::vector<int64_t> numbers = plan::writeNumbers(plan::loadPieces("causal"));
  Needs needs;
  for (int64_t keys : {8, 3, 8}) {
    ASSERT_TRUE(needs.find(numbers.data(), keys, keys, 2, 1));
    EXPECT_EQ(setOf(needs.receivedFrom(0)), (TokenSet{{0, keys}}));
    EXPECT_EQ(needs.sentTo(0).keys, 0);
  }
}

/// Every plan that is cut off or has another number in one place is refused, or has an answer.
TEST(Needs, OfDamagedPlans) {
  for (const std::string &name : plan::smallNames()) {
    SCOPED_TRACE(name);
    std::vector<int64_t> numbers = plan::writeNumbers(plan::loadPieces(name));
    for (size_t length = 0; length < numbers.size(); ++length)
      EXPECT_FALSE(holdsPlan(numbers.data(), numbers.data() + length)) << length;
    EXPECT_FALSE(holdsPlan(nullptr, nullptr));
    for (int64_t &number : numbers) {
      const int64_t good = number;
      for (int64_t bad : {int64_t(-1), int64_t(0), good + 1, good - 1, good ^ 256, std::numeric_limits<int64_t>::max(),
                          std::numeric_limits<int64_t>::min()}) {
        number = bad;
        Needs needs;
        if (holdsPlan(numbers.data(), numbers.data() + numbers.size()) && numbers[1] < 100)
          EXPECT_TRUE(needs.find(numbers.data(), 5, 5, 3, 1));
      }
      number = good;
    }
  }
}
