//===- attention.cpp - Ranks have what one place has ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "LocalNetwork.h"

#include <gtest/gtest.h>
#include <set>

using namespace xfrt;

static constexpr double tolerance = 1e-12;

static std::vector<Outcome> runAll(const Case &of, LocalNetwork &network, Setting setting = {}) {
  std::vector<Outcome> outcomes(size_t(of.problem.ranks));
  network.run([&](const xfrt_communicator &communicator) {
    outcomes[size_t(communicator.rank)] = runRank(of, communicator, setting);
  });
  return outcomes;
}

static std::vector<Outcome> runAll(const Case &of, NetworkOptions options = {}, const Setting &setting = {}) {
  options.ranks = of.problem.ranks;
  LocalNetwork network(options);
  return runAll(of, network, setting);
}

static std::vector<std::vector<double>> expectedOf(const Case &of) {
  std::vector<std::vector<double>> expected;
  for (int32_t rank = 0; rank < of.problem.ranks; ++rank)
    expected.push_back(expectedResults(of, rank));
  return expected;
}

static void expectResults(const Case &of) {
  std::vector<Outcome> outcomes = runAll(of);
  for (int32_t rank = 0; rank < of.problem.ranks; ++rank) {
    const Outcome &outcome = outcomes[size_t(rank)];
    ASSERT_EQ(outcome.status, XFRT_OK) << outcome.text;
    ASSERT_LT(differenceOf(outcome.results, expectedResults(of, rank)), tolerance) << "rank " << rank;
  }
}

/// Dear bytes and cheap ones lead to other modes.
TEST(Attention, OnRanksIsThatOfOnePlace) {
  for (int32_t ranks : {2, 3, 4})
    for (const std::string &name : caseNames())
      for (int64_t byteTime : {40, 1}) {
        Case made = makeCase(name, 192, ranks, byteTime, 1 << 20);
        SCOPED_TRACE(made.name);
        expectResults(made);
        if (HasFatalFailure())
          return;
      }
}

TEST(Attention, OfUnevenAndShortSequences) {
  for (auto [tokens, ranks] : {std::pair<int64_t, int32_t>{131, 4}, {7, 5}, {3, 4}, {1, 2}})
    for (const char *name : {"causal", "dense", "window", "documents", "fixed"}) {
      Case made = makeCase(name, tokens, ranks, 40, 1 << 20);
      SCOPED_TRACE(made.name);
      expectResults(made);
      if (HasFatalFailure())
        return;
    }
}

/// Of small stages there are many, of which two are at hand at a time.
TEST(Attention, InStagesOfTwoBuffers) {
  std::set<int32_t> stages;
  for (const char *name : {"dense", "causal", "prefix", "axial"})
    for (int32_t ranks : {5, 8})
      for (int64_t stageBytes : {1, 20000}) {
        Case made = makeCase(name, 190, ranks, 40, stageBytes);
        SCOPED_TRACE(made.name);
        expectResults(made);
        if (HasFatalFailure())
          return;
        stages.insert(runAll(made)[1].stages);
      }
  EXPECT_GT(stages.size(), 2u);
  // On a prime number of ranks queries stay, and a stage is what one rank has: 38 tokens.
  Outcome outcome = runAll(makeCase("dense", 190, 5, 40, 1))[1];
  EXPECT_EQ(outcome.stages, 4);
  EXPECT_EQ(outcome.stageBytes, 2 * (38 * 2 * 2 * 8 * 8 + headerBytes));
}

/// All pairs on eight ranks: a ring, in which every rank passes on what it received.
TEST(Attention, OverRelays) {
  int relays = 0;
  for (const std::string &name : caseNames()) {
    Case made = makeCase(name, 240, 8, 40, 1 << 20);
    SCOPED_TRACE(made.name);
    plan::Planner planner;
    std::string error;
    ASSERT_TRUE(planner.make(made.problem, error)) << error;
    relays += planner.plan().relays[0];
    expectResults(made);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(relays, 1);
}

TEST(Attention, HasTheSameBitsInWhateverOrderMessagesCome) {
  for (const std::string &name : caseNames()) {
    Case made = makeCase(name, 160, 4, 1, 4000);
    SCOPED_TRACE(made.name);
    std::vector<Outcome> first = runAll(made);
    std::set<int64_t> clocks;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      NetworkOptions options;
      options.ranks = 4;
      options.seed = seed;
      options.mostDelay = 1000000;
      LocalNetwork network(options);
      std::vector<Outcome> outcomes = runAll(made, network);
      clocks.insert(network.clock(0));
      for (size_t rank = 0; rank < 4; ++rank) {
        ASSERT_EQ(outcomes[rank].status, XFRT_OK) << outcomes[rank].text;
        ASSERT_EQ(outcomes[rank].results, first[rank].results) << "rank " << rank << ", seed " << seed;
      }
    }
    EXPECT_GT(clocks.size(), 1u);
  }
}

/// What a rank sends, forward and backward, is what the plan says, and a header for each message.
TEST(Attention, SendsWhatThePlanSays) {
  constexpr int64_t key = 2 * 8 * 8, query = 8 * 8,
                    more = 2 * 8; // k and v; q, o or their gradients; m and l, or what else
  for (const std::string &name : caseNames()) {
    Case made = makeCase(name, 240, 4, 40, 1 << 20);
    NetworkOptions options;
    options.ranks = 4;
    LocalNetwork network(options), first(options);
    runAll(made, network);
    first.run([&](const xfrt_communicator &communicator) {
      Channel channel(communicator, 1000, "");
      Message message;
      channel.agree({1, 1}, XFRT_OK, message);
    });
    plan::Planner planner;
    std::string error;
    ASSERT_TRUE(planner.make(made.problem, error)) << error;
    for (int32_t rank = 0; rank < 4; ++rank) {
      plan::RankPlan plan = planner.findRank(0, rank);
      auto countRows = [](const std::vector<plan::Transfer> &transfers) {
        int64_t rows = 0;
        for (const plan::Transfer &transfer : transfers)
          rows += countTokens(transfer.tokens) * transfer.heads.size();
        return rows;
      };
      int64_t bytes = countRows(plan.keysSent) * 2 * key + countRows(plan.keysReceived) * key +
                      (countRows(plan.queriesSent) + countRows(plan.queriesReceived)) * (2 * query + more);
      int64_t messages = network.messagesSent(rank) - first.messagesSent(rank);
      EXPECT_EQ(network.bytesSent(rank) - first.bytesSent(rank), bytes + messages * headerBytes) << name;
    }
  }
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// No hang, and no wrong result: whoever says that all went well has the right numbers.
TEST(Failures, LostMessages) {
  int64_t lost = 0, failed = 0, whole = 0;
  for (const char *name : {"dense", "window", "strided", "global_tokens"}) {
    Case made = makeCase(name, 64, 4, 1, 4000);
    std::vector<std::vector<double>> expected = expectedOf(made);
    for (uint64_t seed = 0; seed < 50; ++seed) {
      NetworkOptions options;
      options.ranks = 4;
      options.seed = seed;
      options.mostDelay = 1000000;
      options.lostPerMillion = 20000;
      LocalNetwork network(options);
      Setting setting;
      setting.timeout = 1500;
      std::vector<Outcome> outcomes = runAll(made, network, setting);
      lost += network.lost();
      for (size_t rank = 0; rank < 4; ++rank) {
        if (outcomes[rank].status == XFRT_OK) {
          ASSERT_LT(differenceOf(outcomes[rank].results, expected[rank]), tolerance) << name << ", seed " << seed;
          ++whole;
          continue;
        }
        ASSERT_EQ(outcomes[rank].status, XFRT_RANK_LOST) << outcomes[rank].text;
        ++failed;
      }
    }
  }
  EXPECT_GT(lost, 0);
  EXPECT_GT(failed, 0);
  EXPECT_GT(whole, 0);
}

/// By the clocks of the network: limits pass one after the other only where ranks wait for different ones.
TEST(Failures, KilledRank) {
  int late = 0;
  for (const char *name : {"dense", "window", "causal"})
    for (int64_t killedAfter : {0, 2, 5, 9, 14}) {
      Case made = makeCase(name, 64, 4, 40, 4000);
      NetworkOptions options;
      options.ranks = 4;
      options.killed = 2;
      options.killedAfter = killedAfter;
      LocalNetwork network(options);
      Setting setting;
      setting.timeout = 2000;
      std::vector<Outcome> outcomes = runAll(made, network, setting);
      for (int32_t rank : {0, 1, 3}) {
        EXPECT_LE(network.clock(rank), int64_t(3000) * 1000000) << name << ", call " << killedAfter;
        if (outcomes[size_t(rank)].status == XFRT_OK) // it needed nothing more
          continue;
        EXPECT_EQ(outcomes[size_t(rank)].status, XFRT_RANK_LOST) << outcomes[size_t(rank)].text;
        ++late;
      }
    }
  EXPECT_GT(late, 20);
}

TEST(Failures, SayEntryExchangeAndRanks) {
  Case made = makeCase("dense", 64, 3, 40, 1 << 20);
  NetworkOptions options;
  options.killed = 2;
  options.killedAfter = 0;
  Setting setting;
  setting.timeout = 1500;
  std::vector<Outcome> outcomes = runAll(made, options, setting);
  EXPECT_EQ(outcomes[0].text, "entry 'train': rank 0: comparing plans: no message from ranks 2 for 1500 ms");
  options.killedAfter = 4;
  outcomes = runAll(made, options, setting);
  EXPECT_EQ(outcomes[0].text, "entry 'train': rank 0: keys of attention 0: no message from ranks 2 for 1500 ms");
}

/// A rank that refuses its input sends on, so that others learn of it and none waits.
TEST(Failures, OfOneRankAreThoseOfAllThatDependOnIt) {
  for (const char *name : {"dense", "causal"}) {
    Case made = makeCase(name, 64, 4, 40, 1 << 20);
    Setting setting;
    setting.refusing = 1;
    std::vector<Outcome> outcomes = runAll(made, {}, setting);
    for (int32_t rank : {0, 2, 3}) {
      EXPECT_EQ(outcomes[size_t(rank)].status, XFRT_OUT_OF_RANGE) << name << ", rank " << rank;
      EXPECT_EQ(outcomes[size_t(rank)].text, "entry 'train': rank 1 failed: out_of_range");
    }
    EXPECT_EQ(outcomes[1].status, XFRT_OUT_OF_RANGE);
    EXPECT_EQ(outcomes[1].text, "entry 'train': expected tokens below 256, got 300");
  }
}
