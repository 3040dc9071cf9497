//===- plan.cpp - Plans against pairs, one by one --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/plan/Plan.h"
#include "PairTable.h"

#include <gtest/gtest.h>
#include <map>

using namespace xfrt::plan;

/// Times in multiplications: a byte costs as much as forty, and nothing overlaps.
static const Machine slow = {224, 40, 0, 0, 1, false};
/// 4 heads of queries and 2 of keys, all numbers of 8 bytes.
static const Shape shape = {4, 2, 16, 16, 8, 8};

/// Femtoseconds of 500 TFLOP/s, 42 GB/s between nodes of 8 and 360 GB/s within, 8 us for a message.
static const Machine nodes = {3584, 23810, 2778, 8'000'000'000, 8, true};
static const Shape large = {32, 8, 128, 128, 2, 4};

static Problem makeProblem(std::vector<Piece> pieces, int64_t tokens, int32_t ranks) {
  Problem problem;
  problem.tokens = tokens;
  problem.ranks = ranks;
  problem.machine = slow;
  problem.attentions.resize(1);
  problem.attentions[0] = {std::move(pieces), {}, tokens, shape, 1};
  return problem;
}

/// Queries of a run see the keys of that run up to themselves.
static std::vector<Piece> makeDocuments(int64_t tokens) {
  std::vector<Piece> pieces = loadPieces("causal");
  pieces[0].hasBoxes = true;
  pieces[0].boxes = makeBoxes(tokens, {80, 20, 260, 6, 154, 200, 104, 120, 80});
  return pieces;
}

/// Blocks of 16 that are drawn, besides the pieces that a formula gives.
static std::vector<Piece> makeDrawnBlocks(int64_t tokens) {
  std::vector<Piece> pieces = loadPieces("bigbird");
  Piece drawn;
  drawn.hasBoxes = true;
  Random random(7);
  for (int64_t row = 1; row < tokens / 16 - 1; ++row) {
    int64_t column = 1 + random.below(tokens / 16 - 2);
    if (column < row - 1 || column > row + 1)
      drawn.boxes.push_back({{row * 16, row * 16 + 16}, {column * 16, column * 16 + 16}});
  }
  pieces.push_back(drawn);
  return pieces;
}

static std::map<std::string, std::vector<Piece>> allPieces(int64_t tokens) {
  std::map<std::string, std::vector<Piece>> all;
  for (const std::string &name : smallNames())
    all[name] = loadPieces(name);
  all["documents"] = makeDocuments(tokens);
  all["bigbird"] = makeDrawnBlocks(tokens);
  return all;
}

static Planner makePlanner(const Problem &problem) {
  Planner planner;
  std::string error;
  EXPECT_TRUE(planner.make(problem, error)) << error;
  return planner;
}

static std::vector<int32_t> ownersOf(const Placement &placement) {
  std::vector<int32_t> owners;
  for (size_t c = 0; c < placement.owners.size(); ++c)
    owners.insert(owners.end(), placement.bounds[c + 1] - placement.bounds[c], placement.owners[c]);
  return owners;
}

/// Who computes a pair, from the definition of modes.
static int32_t workerOf(Mode mode, int32_t ranks, int32_t queryOwner, int32_t keyOwner, int64_t residue,
                        int64_t residues) {
  if (mode.kind == Mode::Kind::Residues)
    return int32_t(residue * ranks / residues);
  int32_t columns = ranks / mode.rows;
  return queryOwner / columns * columns + keyOwner % columns;
}

static TokenSet setOf(const std::vector<bool> &has) {
  std::vector<Interval> tokens;
  for (size_t t = 0; t < has.size(); ++t)
    if (has[t])
      tokens.push_back({int64_t(t), int64_t(t) + 1});
  return unite(std::move(tokens));
}

/// Shares of all ranks are the pairs that the modes give them: no query and no key without a pair, no pair twice.
static void expectShares(Planner &planner, const Problem &problem, const std::vector<RankPlan> &plans) {
  const std::vector<Piece> &pieces = problem.attentions[0].pieces;
  const std::vector<Mode> &modes = planner.plan().modes[0];
  int64_t tokens = problem.tokens;
  if (!modes.empty() && modes[0].kind == Mode::Kind::Heads)
    return; // every rank computes every pair
  PairTable table;
  for (const Piece &piece : pieces)
    ASSERT_TRUE(table.add(piece, {problem.attentions[0].queries, tokens}));
  std::vector<int32_t> owners = ownersOf(planner.plan().placement);
  struct Seen {
    int64_t pairs = 0;
    std::vector<bool> keys, queries;
  };
  std::map<std::pair<int32_t, int>, Seen> seen;
  for (int64_t i = 0; i < tokens; ++i)
    for (int64_t j = 0; j < tokens; ++j)
      if (int piece = table.pieceOf(i, j); piece >= 0) {
        int32_t worker =
            workerOf(modes[piece], problem.ranks, owners[i], owners[j], table.residueOf(i, j), pieces[piece].residues);
        Seen &mine = seen[{worker, piece}];
        mine.keys.resize(tokens);
        mine.queries.resize(tokens);
        ++mine.pairs;
        mine.keys[j] = mine.queries[i] = true;
      }
  for (int32_t rank = 0; rank < problem.ranks; ++rank)
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      const Seen &mine = seen[{rank, int(piece)}];
      ASSERT_EQ(plans[rank].shares[piece].pairs, mine.pairs) << "rank " << rank << ", piece " << piece;
      ASSERT_EQ(plans[rank].shares[piece].keys, setOf(mine.keys)) << "rank " << rank << ", piece " << piece;
      ASSERT_EQ(plans[rank].shares[piece].queries, setOf(mine.queries)) << "rank " << rank << ", piece " << piece;
    }
}

/// What a rank receives is what it computes with and does not own, once; all of it is sent, in the same stages; who
/// sends a token owns it or received it.
static void expectTransfers(const Planner &planner, const std::vector<RankPlan> &plans, bool ofKeys) {
  const Placement &placement = planner.plan().placement;
  using Way = std::tuple<int32_t, int32_t, int32_t>; // from, to, stage
  std::map<Way, std::pair<Interval, TokenSet>> sent, received;
  for (int32_t rank = 0; rank < placement.ranks; ++rank) {
    const RankPlan &plan = plans[rank];
    TokenSet needed, got, own = placement.tokensOf(rank);
    for (const Share &share : plan.shares)
      needed = unite(needed, ofKeys ? share.keys : share.queries);
    for (const Transfer &transfer : ofKeys ? plan.keysReceived : plan.queriesReceived) {
      ASSERT_TRUE(intersect(got, transfer.tokens).empty()) << "rank " << rank << " receives twice";
      got = unite(got, transfer.tokens);
      ASSERT_TRUE(
          received.try_emplace({transfer.partner, rank, transfer.stage}, transfer.heads, transfer.tokens).second);
    }
    bool isByHeads = !planner.plan().modes[0].empty() && planner.plan().modes[0][0].kind == Mode::Kind::Heads;
    ASSERT_TRUE(isByHeads || got == subtract(needed, own)) << "rank " << rank;
    for (const Transfer &transfer : ofKeys ? plan.keysSent : plan.queriesSent) {
      ASSERT_TRUE(subtract(transfer.tokens, unite(got, own)).empty()) << "rank " << rank << " sends what it has not";
      ASSERT_TRUE(sent.try_emplace({rank, transfer.partner, transfer.stage}, transfer.heads, transfer.tokens).second);
    }
  }
  ASSERT_EQ(sent, received);
}

static void expectPlan(const Problem &problem) {
  Planner planner = makePlanner(problem);
  std::vector<RankPlan> plans;
  int64_t sent = 0, received = 0;
  for (int32_t rank = 0; rank < problem.ranks; ++rank) {
    plans.push_back(planner.findRank(0, rank));
    RankCounts counts = planner.count(0, plans.back());
    sent += counts.bytesSent;
    received += counts.bytesReceived;
  }
  EXPECT_EQ(sent, received);
  expectShares(planner, problem, plans);
  expectTransfers(planner, plans, true);
  expectTransfers(planner, plans, false);
}

TEST(Plan, AgreesWithPairs) {
  for (int64_t tokens : {1024, 1021, 70, 3, 1, 0})
    for (int32_t ranks : {1, 2, 3, 4, 8, 64})
      for (const auto &[name, pieces] : allPieces(tokens)) {
        SCOPED_TRACE(name + " of " + std::to_string(tokens) + " on " + std::to_string(ranks));
        expectPlan(makeProblem(pieces, tokens, ranks));
        if (HasFatalFailure())
          return;
      }
}

TEST(Plan, AgreesWithPairsOnManyRanks) {
  for (const auto &[name, pieces] : allPieces(600)) {
    SCOPED_TRACE(name);
    expectPlan(makeProblem(pieces, 600, 1024));
  }
}

static const Transfer *findTransfer(const std::vector<Transfer> &transfers, int32_t partner, int32_t stage) {
  for (const Transfer &transfer : transfers)
    if (transfer.partner == partner && transfer.stage == stage)
      return &transfer;
  return nullptr;
}

/// What `rank` receives is what its partners send, and the other way round.
static void expectPartners(Planner &planner, int32_t rank) {
  using List = std::vector<Transfer> RankPlan::*;
  std::pair<List, List> sides[] = {{&RankPlan::keysReceived, &RankPlan::keysSent},
                                   {&RankPlan::keysSent, &RankPlan::keysReceived},
                                   {&RankPlan::queriesReceived, &RankPlan::queriesSent},
                                   {&RankPlan::queriesSent, &RankPlan::queriesReceived}};
  RankPlan plan = planner.findRank(0, rank);
  for (auto [here, there] : sides)
    for (size_t t = 0; t < (plan.*here).size(); t += 1 + (plan.*here).size() / 3) { // a few of many
      const Transfer &transfer = (plan.*here)[t];
      RankPlan partner = planner.findRank(0, transfer.partner);
      const Transfer *other = findTransfer(partner.*there, rank, transfer.stage);
      ASSERT_TRUE(other) << rank << " and " << transfer.partner;
      ASSERT_EQ(other->tokens, transfer.tokens) << rank << " and " << transfer.partner;
    }
}

/// 2^20 tokens, and a few less: pairs of all ranks are all pairs, and what one side sends the other one receives.
TEST(Plan, OfLongSequences) {
  std::vector<std::string> names = largeNames();
  names.push_back("causal");
  for (const std::string &name : names)
    for (auto [tokens, ranks] : {std::pair<int64_t, int32_t>{1 << 20, 64},
                                 {(1 << 20) - 5, 24},
                                 {1 << 20, 1024},
                                 {(1 << 20) - 3, 1},
                                 {1 << 20, 2},
                                 {(1 << 20) - 7, 3},
                                 {1 << 20, 4},
                                 {(1 << 20) - 1, 8}}) {
      SCOPED_TRACE(name + " of " + std::to_string(tokens) + " on " + std::to_string(ranks));
      Problem problem = makeProblem(loadPieces(name), tokens, ranks);
      problem.machine = nodes;
      problem.attentions[0].shape = large;
      Planner planner = makePlanner(problem);
      int64_t pairs = 0;
      for (int32_t rank = 0; rank < ranks && ranks < 1024; ++rank)
        pairs += planner.count(0, planner.findRank(0, rank)).pairs;
      EXPECT_TRUE(ranks == 1024 || pairs == planner.countPairs(0) * 32);
      for (int32_t rank : {0, ranks / 3, ranks - 1})
        expectPartners(planner, rank);
      if (HasFatalFailure())
        return;
    }
}

/// What limits a plan: residues are sent to all ranks, which is cheap within a node of 8 and dear beyond it; a wide
/// window is not.
TEST(Plan, SaysWhatLimitsIt) {
  auto limitOf = [](const char *name, int64_t tokens, int32_t ranks) {
    Problem problem = makeProblem(loadPieces(name), tokens, ranks);
    problem.machine = nodes;
    problem.attentions[0].shape = large;
    return findLimit(makePlanner(problem).plan().prices[0]);
  };
  EXPECT_EQ(limitOf("strided_large", 1 << 20, 8), Limit::Compute);
  EXPECT_EQ(limitOf("strided_large", 1 << 20, 64), Limit::WireBetweenNodes);
  EXPECT_EQ(limitOf("window_large", 1 << 20, 64), Limit::Compute);
  EXPECT_EQ(limitOf("window", 1 << 16, 64), Limit::Messages);
  EXPECT_EQ(findLimit({5, 9, 3, 0, false}), Limit::WireWithinNode);
}

/// Other machines, granules, stages and fewer queries lead to other modes, all of which have to agree.
TEST(Plan, AgreesWithPairsForDrawnProblems) {
  std::map<Mode::Kind, int> kinds;
  int grids = 0, relays = 0, stages = 0;
  for (const auto &[name, pieces] : allPieces(240))
    for (uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      Random random(seed * 31 + name.size());
      Problem problem = makeProblem(pieces, 240 - random.below(2) * 13, int32_t(2 + random.below(11)));
      if (problem.tokens != 240 && pieces.back().hasBoxes)
        continue;
      problem.machine = {1 + random.below(400), 1 + random.below(60),         random.below(20),
                         random.below(3000),    int32_t(1 + random.below(4)), random.below(2) == 0};
      problem.granule = 1 + random.below(9);
      problem.stageBytes = random.below(2) ? 1 << 20 : 1 + random.below(20000);
      problem.attentions[0].queries -= random.below(3) == 0 ? random.below(problem.tokens) : 0;
      expectPlan(problem);
      Planner planner = makePlanner(problem);
      for (Mode mode : planner.plan().modes[0]) {
        ++kinds[mode.kind];
        grids += mode.kind == Mode::Kind::Grid && mode.rows > 1 && mode.rows < problem.ranks;
      }
      relays += planner.plan().relays[0];
      for (const Transfer &transfer : planner.findRank(0, 1).keysReceived)
        stages += transfer.stage > 0;
    }
  EXPECT_GT(kinds[Mode::Kind::Residues], 0);
  EXPECT_GT(kinds[Mode::Kind::Heads], 0);
  EXPECT_GT(grids, 0);
  EXPECT_GT(relays, 0);
  EXPECT_GT(stages, 0);
}

/// Every rank plans by itself: the same plan, the same hash, the same transfers.
TEST(Plan, IsAFunctionOfTheProblem) {
  for (const auto &[name, pieces] : allPieces(1000)) {
    Problem problem = makeProblem(pieces, 1000, 6);
    Planner first = makePlanner(problem), second = makePlanner(problem);
    EXPECT_EQ(first.plan().hash, second.plan().hash) << name;
    for (int32_t rank : {5, 0, 3}) // whatever was asked before
      second.findRank(0, rank);
    for (int32_t rank = 0; rank < 6; ++rank) {
      RankPlan a = first.findRank(0, rank), b = second.findRank(0, rank);
      EXPECT_EQ(a.keysReceived, b.keysReceived) << name;
      EXPECT_EQ(a.keysSent, b.keysSent) << name;
      EXPECT_EQ(a.queriesReceived, b.queriesReceived) << name;
      EXPECT_EQ(a.queriesSent, b.queriesSent) << name;
    }
  }
}

TEST(Plan, HashTellsProblemsApart) {
  Problem problem = makeProblem(loadPieces("strided"), 1000, 6);
  std::vector<Problem> others(7, problem);
  others[0].tokens = others[0].attentions[0].queries = 999;
  others[1].ranks = 5;
  others[2].machine.byteTime += 1;
  others[3].attentions[0].pieces[0].upper[0].result.constant += 1;
  others[4].attentions[0].shape.heads = 8;
  others[5].granule = 2;
  others[6].attentions.push_back(problem.attentions[0]);
  std::vector<uint64_t> hashes = {makePlanner(problem).plan().hash};
  for (const Problem &other : others)
    hashes.push_back(makePlanner(other).plan().hash);
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::unique(hashes.begin(), hashes.end()), hashes.end());
  // The value itself is that of every machine and every build.
  EXPECT_EQ(makePlanner(makeProblem(loadPieces("window"), 1000, 6)).plan().hash, 3658341803768079146u);
}

namespace {
struct Bar {
  const char *name;
  double bytes;   // of a gather of all keys, at most
  double balance; // busiest rank over mean, at most
};
} // namespace

/// What the busiest of 4 ranks sends forward and backward, and how much more than the mean it computes.
TEST(Plan, SendsLittleAndIsBalanced) {
  const Bar bars[] = {{"window", .09, 1.04},        {"window_symmetric", .11, 1.04}, {"window2d", .17, 1.04},
                      {"global_tokens", .10, 1.04}, {"documents", .15, 1.21},        {"fixed", .19, 1.001},
                      {"causal", .75, 1.001},       {"strided", .78, 1.04},          {"strided_column", .78, 1.001},
                      {"axial", .78, 1.001},        {"dense", 1.0, 1.001},           {"dilated", .16, 1.07},
                      {"comb", .78, 1.04},          {"bigbird", .53, 1.04}};
  double gather = 768 * 2 * (2 * 16 * 8 + 2 * 16 * 8);
  for (const Bar &bar : bars) {
    Problem problem = makeProblem(allPieces(1024)[bar.name], 1024, 4);
    Planner planner = makePlanner(problem);
    int64_t sent = 0, most = 0, all = 0;
    for (int32_t rank = 0; rank < 4; ++rank) {
      RankCounts counts = planner.count(0, planner.findRank(0, rank));
      sent = std::max(sent, counts.bytesSent);
      most = std::max(most, counts.pairs);
      all += counts.pairs;
    }
    EXPECT_EQ(all, planner.countPairs(0) * shape.heads);
    EXPECT_LE(double(sent) / gather, bar.bytes) << bar.name;
    EXPECT_LE(double(most) * 4 / double(all), bar.balance) << bar.name;
  }
}

/// The predicted share of what as many ranks could do at best.
TEST(Plan, IsNearTheIdealOfManyRanks) {
  struct {
    const char *name;
    int32_t ranks;
    double least;
  } bars[] = {{"dense", 1024, .94}, {"causal", 1024, .90}, {"window_large", 256, .97}, {"fixed_large", 64, .95}};
  for (auto [name, ranks, least] : bars) {
    Problem problem = makeProblem(loadPieces(name), 1 << 20, ranks);
    problem.machine = nodes;
    problem.attentions[0].shape = large;
    Planner planner = makePlanner(problem);
    double ideal = double(planner.countPairs(0)) / ranks * double(large.heads * nodes.pairTime);
    EXPECT_GE(ideal / double(planner.plan().total), least) << name;
  }
}

/// Dense and causal attention send within twice what some rank receives whatever the placement.
TEST(Plan, IsNearTheBoundOfManyRanks) {
  for (const char *name : {"dense", "causal"})
    for (int32_t ranks : {64, 256, 1024}) {
      Problem problem = makeProblem(loadPieces(name), 1 << 20, ranks);
      problem.machine = nodes;
      problem.attentions[0].shape = large;
      Planner planner = makePlanner(problem);
      int64_t busiest = 0;
      for (int32_t rank = 0; rank < ranks; ++rank)
        busiest = std::max(busiest, planner.count(0, planner.findRank(0, rank)).bytesSent);
      double bound = lowerBound(double(planner.countPairs(0)), 1 << 20, ranks, large);
      EXPECT_LE(double(busiest), 2 * bound) << name << " on " << ranks;
    }
}

/// Chunks of a triangle are dealt so that every rank has an early and a late one.
TEST(Plan, DealsTrianglesInZigzag) {
  Planner planner = makePlanner(makeProblem(loadPieces("causal"), 1024, 4));
  EXPECT_EQ(planner.plan().placement.owners, (std::vector<int32_t>{0, 1, 2, 3, 3, 2, 1, 0}));
}

/// Two attentions have one placement, that of the least sum.
TEST(Plan, HasOnePlacementForAllAttentions) {
  Problem problem = makeProblem(loadPieces("window"), 4096, 4);
  problem.attentions[0].shape = {1, 1, 16, 16, 8, 8}; // heads are no way out
  EXPECT_FALSE(makePlanner(problem).plan().placement.isDealt);
  problem.attentions.push_back(problem.attentions[0]);
  problem.attentions[1].pieces = loadPieces("causal");
  Planner planner = makePlanner(problem);
  EXPECT_TRUE(planner.plan().placement.isDealt);
  EXPECT_EQ(planner.plan().modes.size(), 2u);
  problem.attentions[0].count = 1000;
  EXPECT_FALSE(makePlanner(problem).plan().placement.isDealt);
}

TEST(Plan, OfNothing) {
  Problem problem;
  problem.ranks = 3;
  EXPECT_EQ(makePlanner(problem).plan().total, 0);
  problem = makeProblem({}, 12, 3);
  Planner planner = makePlanner(problem);
  EXPECT_TRUE(planner.findRank(0, 2).keysReceived.empty());
  Piece empty;
  empty.hasBoxes = true;
  planner = makePlanner(makeProblem({empty}, 12, 3));
  EXPECT_EQ(planner.countPairs(0), 0);
  EXPECT_TRUE(planner.findRank(0, 2).keysReceived.empty());
}

static std::string errorOf(const Problem &problem) {
  Planner planner;
  std::string error;
  EXPECT_FALSE(planner.make(problem, error));
  return error;
}

TEST(Plan, RefusesNumbersOutOfRange) {
  Problem good = makeProblem(loadPieces("window"), 64, 4), problem = good;
  problem.ranks = 0;
  EXPECT_EQ(errorOf(problem), "expected ranks in [1, 65536], got 0");
  problem = good;
  problem.tokens = int64_t(1) << 40;
  EXPECT_EQ(errorOf(problem), "expected tokens in [0, 2147483647], got 1099511627776");
  problem = good;
  problem.attentions[0].queries = 65;
  EXPECT_EQ(errorOf(problem), "attention 0: expected queries in [0, 64], got 65");
  problem = good;
  problem.attentions[0].shape.keyHeads = 3;
  EXPECT_EQ(errorOf(problem), "attention 0: expected heads of keys that divide 4, got 3");
  problem = good;
  problem.machine.byteTime = -1;
  EXPECT_EQ(errorOf(problem), "expected the time of a byte in [0, 4503599627370496], got -1");
  problem = good;
  problem.granule = 0;
  EXPECT_EQ(errorOf(problem), "expected the granule of chunks in [1, 2147483647], got 0");
  problem = good;
  problem.attentions[0].pieces[0].keys.width = 0;
  EXPECT_EQ(errorOf(problem), "attention 0, piece 0: expected residues, period, width and cell of an index map in "
                              "[1, 2^31), got 0");
}

/// Prices end at the largest integer; the plan is a plan all the same.
TEST(Plan, OfTheLongestSequence) {
  Problem problem = makeProblem(loadPieces("causal"), (int64_t(1) << 31) - 1, 4);
  problem.machine = {int64_t(1) << 52, int64_t(1) << 52, int64_t(1) << 52, int64_t(1) << 52, 2, true};
  Planner planner = makePlanner(problem);
  EXPECT_EQ(planner.plan().total, std::numeric_limits<int64_t>::max());
  int64_t pairs = 0;
  for (int32_t rank = 0; rank < 4; ++rank)
    pairs += planner.findRank(0, rank).shares[0].pairs;
  EXPECT_EQ(pairs, problem.tokens * ((problem.tokens + 1) / 2));
}
