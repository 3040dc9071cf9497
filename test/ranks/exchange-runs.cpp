//===- exchange-runs.cpp - Which keys ranks send each other ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime makes of a plan's numbers, compared with pairs one by one.
//
//===----------------------------------------------------------------------===//

#include "lib/ranks/ExchangeRuns.h"
#include "test/plan/PairTable.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <tuple>

using namespace xfrt;
using plan::Interval;
using plan::Piece;
using plan::TokenSet;

static TokenSet setOf(const ExchangeRuns::Runs &runs) {
  std::vector<Interval> all;
  for (const KeyRun &run : runs)
    all.push_back({run.begin, run.end});
  const TokenSet set = plan::unite(std::move(all)); // runs end where chunks do
  EXPECT_EQ(runs.keys, countTokens(set));
  return set;
}

/// The keys that the queries of each rank see.
using Seen = std::vector<TokenSet>;

/// The rows of a rank, of which it has so many in zigzag chunks.
static TokenSet rowsOf(int64_t rows, int64_t chunks, int64_t rank, int64_t ranks) {
  std::vector<Interval> set;
  for (int64_t turn = 0; turn < chunks; ++turn) {
    const int64_t chunk = turn % 2 == 0 ? turn * ranks + rank : (turn + 1) * ranks - 1 - rank;
    set.push_back({chunk * (rows / chunks), (chunk + 1) * (rows / chunks)});
  }
  return plan::unite(std::move(set));
}

/// Of each rank, or four of many: receives what its queries see of others, and sends what theirs see of its own keys.
static void expectRuns(const std::vector<Piece> &pieces, int64_t queries, int64_t keys, const Seen &seen,
                       int64_t chunks = 1) {
  const std::vector<int64_t> numbers = plan::writeNumbers(pieces, chunks);
  ASSERT_TRUE(holdsPlan(numbers.data(), numbers.data() + numbers.size()));
  const auto ranks = int32_t(seen.size());
  for (int32_t own = 0; own < ranks; own += ranks <= 8 ? 1 : ranks / 3) {
    ExchangeRuns exchange;
    ASSERT_TRUE(exchange.find(numbers.data(), queries, keys, ranks, own));
    for (int32_t other = 0; other < ranks; ++other) {
      const TokenSet theirs = rowsOf(keys, chunks, other, ranks), mine = rowsOf(keys, chunks, own, ranks);
      const bool travels = other != own && keys > 0;
      EXPECT_EQ(setOf(exchange.receivedFrom(other)), travels ? intersect(seen[size_t(own)], theirs) : TokenSet{});
      EXPECT_EQ(setOf(exchange.sentTo(other)), travels ? intersect(seen[size_t(other)], mine) : TokenSet{});
    }
  }
}

/// Compares the runs of the patterns of test/plan with their pairs.
static void expectRunsOfPairs(int32_t ranks, int64_t queries, int64_t keys, int64_t chunks,
                              const std::vector<std::string> &names = plan::smallNames()) {
  for (const std::string &name : names) {
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
    expectRuns(pieces, queries, keys, seen, chunks);
  }
}

TEST(ExchangeRuns, AreThoseOfPairs) {
  for (int32_t ranks : {1, 2, 3, 4, 8, 64, 1024})
    for (auto [queries, keys] : {std::pair<int64_t, int64_t>{1, 1}, {17, 17}, {32, 32}, {20, 37}, {0, 5}})
      if (ranks * keys <= 1280)
        expectRunsOfPairs(ranks, queries, keys, 1);
}

/// Rows enough that bounds repeat several times, on ranks that cut periods anywhere.
TEST(ExchangeRuns, AreThoseOfPairsOfManyPeriods) {
  for (auto [ranks, queries, keys] : {std::tuple<int32_t, int64_t, int64_t>{2, 512, 512},
                                      {3, 341, 341},
                                      {5, 199, 204},
                                      {7, 143, 143},
                                      {4, 61, 250},
                                      {16, 64, 64},
                                      {31, 33, 33},
                                      {128, 8, 8}})
    expectRunsOfPairs(ranks, queries, keys, 1);
}

TEST(ExchangeRuns, AreThoseOfZigzagPairs) {
  for (int32_t ranks : {1, 2, 3, 4})
    for (auto [queries, keys, chunks] : {std::tuple<int64_t, int64_t, int64_t>{2, 2, 2},
                                         {18, 18, 2},
                                         {18, 18, 3},
                                         {32, 32, 4},
                                         {20, 36, 2},
                                         {0, 4, 4}})
      expectRunsOfPairs(ranks, queries, keys, chunks);
}

TEST(ExchangeRuns, AreThoseOfPairsOfLongPeriods) { expectRunsOfPairs(4, 1024, 1024, 1, plan::largeNames()); }

TEST(ExchangeRuns, AreThoseOfBoxes) {
  Piece boxes;
  boxes.hasBoxes = true;
  boxes.boxes = {{{0, 3}, {0, 2}}, {{5, 9}, {4, 11}}, {{6, 7}, {1, 2}}};
  const std::vector<Piece> window = plan::loadPieces("window");
  expectRuns({boxes}, 4, 4, {{{0, 2}}, {{1, 2}, {4, 11}}, {{4, 11}}});
  std::vector<Piece> both = window;
  both.push_back(boxes);
  const std::vector<int64_t> numbers = plan::writeNumbers(both);
  EXPECT_TRUE(holdsPlan(numbers.data(), numbers.data() + numbers.size()));
}

/// Segments of some tokens, in one list after the other.
template <typename Number>
static std::vector<Number> makeSegments(int64_t lists, int64_t tokens, int kind, std::mt19937_64 &random) {
  std::vector<Number> segments;
  for (int64_t list = 0; list < lists; ++list) {
    Number last = 0;
    for (int64_t n = 0; n < tokens; ++n) {
      last += random() % 7 == 0;
      const Number drawn = Number(random() % 5) - 1, all[] = {last, drawn, 3, Number(n), Number(last % 3 - 1), -1};
      segments.push_back(all[kind]);
    }
  }
  return segments;
}

/// Compares the runs of patterns between segments of a kind with their pairs, of which there are two lists.
template <typename Number>
static void expectRunsOfSegments(int32_t ranks, int64_t queries, int64_t keys, int64_t chunks, int kind) {
  constexpr int64_t lists = 2;
  std::mt19937_64 random(uint64_t(kind * 100 + ranks));
  const plan::Sizes sizes = {queries * ranks, keys * ranks};
  const auto ofKeys = makeSegments<Number>(lists, sizes.keys, kind, random);
  const auto ofQueries =
      queries == keys ? ofKeys : makeSegments<Number>(lists, sizes.queries, kind, random); // of other tokens
  for (const char *name : {"causal", "dense", "window", "strided", "window_symmetric", "global_tokens", "prefix"}) {
    SCOPED_TRACE(std::string(name) + " of " + std::to_string(queries) + " and " + std::to_string(keys) + " on " +
                 std::to_string(ranks) + ", segments of kind " + std::to_string(kind));
    const std::vector<Piece> pieces = plan::loadPieces(name);
    plan::PairTable table;
    for (const Piece &piece : pieces)
      table.add(piece, sizes);
    const std::vector<int64_t> numbers = plan::writeNumbers(pieces, chunks);
    ASSERT_TRUE(holdsPlan(numbers.data(), numbers.data() + numbers.size()));
    const CallSegments segments = {ofQueries.data(), ofKeys.data(), lists, sizeof(Number) == 8};
    for (int32_t own = 0; own < ranks; ++own) {
      ExchangeRuns exchange;
      for (int time = 0; time < 2; ++time) // the second time they are known
        ASSERT_TRUE(exchange.find(numbers.data(), queries, keys, ranks, own, segments));
      ASSERT_EQ(exchange.lists(), lists);
      for (int64_t list = 0; list < lists; ++list) {
        auto seenBy = [&](int32_t rank) {
          std::vector<Interval> tokens;
          for (const Interval &rows : rowsOf(queries, chunks, rank, ranks))
            for (int64_t i = rows.begin; i < rows.end; ++i)
              for (int64_t j = 0; j < sizes.keys; ++j) {
                const Number segment = ofQueries[size_t(list * sizes.queries + i)];
                if (segment >= 0 && segment == ofKeys[size_t(list * sizes.keys + j)] &&
                    table.has(sizes.keys - sizes.queries + i, j))
                  tokens.push_back({j, j + 1});
              }
          return plan::unite(std::move(tokens));
        };
        const TokenSet mine = rowsOf(keys, chunks, own, ranks), seen = seenBy(own);
        for (int32_t other = 0; other < ranks; ++other) {
          const TokenSet none, theirs = rowsOf(keys, chunks, other, ranks);
          EXPECT_EQ(setOf(exchange.receivedFrom(other, list)), other == own ? none : intersect(seen, theirs));
          EXPECT_EQ(setOf(exchange.sentTo(other, list)), other == own ? none : intersect(seenBy(other), mine));
        }
      }
    }
  }
}

TEST(ExchangeRuns, AreThoseOfSegments) {
  for (int kind = 0; kind < 6; ++kind)
    for (auto [ranks, queries, keys, chunks] : {std::tuple<int32_t, int64_t, int64_t, int64_t>{1, 24, 24, 1},
                                                {2, 24, 24, 1},
                                                {3, 17, 17, 1},
                                                {4, 10, 19, 1},
                                                {3, 18, 18, 2}}) {
      expectRunsOfSegments<int32_t>(ranks, queries, keys, chunks, kind);
      expectRunsOfSegments<int64_t>(ranks, queries, keys, chunks, kind);
    }
}

/// Numbers of which nobody sees two that are alike, or which have none; and others than those that were known.
TEST(ExchangeRuns, ChangeWithSegments) {
  const std::vector<int64_t> numbers = plan::writeNumbers(plan::loadPieces("dense"));
  std::vector<int32_t> segments = {0, 0, 1, 1, 0, 1, 2, 2};
  ExchangeRuns exchange;
  const CallSegments call = {segments.data(), segments.data()};
  ASSERT_TRUE(exchange.find(numbers.data(), 4, 4, 2, 1, call));
  EXPECT_EQ(setOf(exchange.receivedFrom(0)), (TokenSet{{0, 4}}));
  EXPECT_EQ(setOf(exchange.sentTo(0)), (TokenSet{{4, 6}}));
  const uint32_t seal = exchange.seal();
  segments[0] = segments[1] = -1;
  segments[5] = std::numeric_limits<int32_t>::min();
  ASSERT_TRUE(exchange.find(numbers.data(), 4, 4, 2, 1, call));
  EXPECT_EQ(exchange.receivedFrom(0).keys, 0);
  EXPECT_EQ(exchange.sentTo(0).keys, 0);
  EXPECT_NE(exchange.seal(), seal);
  ASSERT_TRUE(exchange.find(numbers.data(), 4, 4, 2, 1));
  EXPECT_EQ(exchange.receivedFrom(0).keys, 4);
  EXPECT_EQ(exchange.seal(), 0u);
  ASSERT_TRUE(exchange.find(numbers.data(), 4, 4, 2, 1, {segments.data(), segments.data(), 0}));
  EXPECT_EQ(exchange.lists(), 0);
}

/// Of boxes between segments.
TEST(ExchangeRuns, AreThoseOfBoxesOfSegments) {
  Piece boxes;
  boxes.hasBoxes = true;
  boxes.boxes = {{{0, 6}, {0, 5}}, {{5, 9}, {4, 12}}};
  const std::vector<int64_t> numbers = plan::writeNumbers({boxes});
  const std::vector<int64_t> segments = {0, 1, 0, 1, 2, 2, 2, 3, 3, 0, 2, 3};
  ExchangeRuns exchange;
  ASSERT_TRUE(exchange.find(numbers.data(), 4, 4, 3, 1, {segments.data(), segments.data(), 1, true}));
  EXPECT_EQ(setOf(exchange.receivedFrom(0)), TokenSet{}); // 4 and 5 see those of segment 2 before 5
  EXPECT_EQ(setOf(exchange.receivedFrom(2)), (TokenSet{{8, 9}, {10, 12}}));
  EXPECT_EQ(setOf(exchange.sentTo(2)), (TokenSet{{7, 8}}));
}

TEST(ExchangeRuns, ChangeWithSizes) {
  const std::vector<int64_t> numbers = plan::writeNumbers(plan::loadPieces("causal"));
  ExchangeRuns exchange;
  for (int64_t keys : {8, 3, 8}) {
    ASSERT_TRUE(exchange.find(numbers.data(), keys, keys, 2, 1));
    EXPECT_EQ(setOf(exchange.receivedFrom(0)), (TokenSet{{0, keys}}));
    EXPECT_EQ(exchange.sentTo(0).keys, 0);
  }
}

/// Every plan that is cut off or has another number in one place is refused, or has an answer.
TEST(ExchangeRuns, OfDamagedPlans) {
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
        ExchangeRuns exchange;
        if (!holdsPlan(numbers.data(), numbers.data() + numbers.size()) || numbers[1] >= 100)
          continue;
        EXPECT_TRUE(exchange.find(numbers.data(), 5, 5, 3, 1));
        EXPECT_TRUE(exchange.find(numbers.data(), 40, 40, 3, 1));
        const std::vector<int32_t> segments(15, 1);
        EXPECT_TRUE(exchange.find(numbers.data(), 5, 5, 3, 1, {segments.data(), segments.data()}));
      }
      number = good;
    }
  }
}
