//===- overlap.cpp - Keys travel while ranks compute -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the clocks of the local network, which pairs and bytes alone move: nothing is computed, and nothing is measured.
//
//===----------------------------------------------------------------------===//

#include "LocalNetwork.h"
#include "lib/plan/Plan.h"
#include "lib/ranks/Exchange.h"
#include "plan/PairTable.h"

#include <gtest/gtest.h>

using namespace xfrt;

static constexpr int64_t tokens = 1 << 14, headBytes = 2 * 16 * 8; // of a key and a value

namespace {
/// Times of one rank's part, in nanoseconds.
struct Times {
  int64_t compute = 0, wire = 0, taken = 0;
};
} // namespace

static plan::Problem makeProblem() {
  plan::Problem problem;
  problem.tokens = tokens;
  problem.ranks = 2;
  problem.machine = {224, 40, 0, 0, 1, true};
  problem.attentions.resize(1);
  problem.attentions[0] = {plan::loadPieces("causal"), {}, tokens, {4, 2, 16, 16, 8, 8}, 1};
  return problem;
}

/// Pairs of the rank's own queries with its own keys.
static int64_t countLocal(const plan::Problem &problem, const plan::TokenSet &own) {
  plan::Relation relation;
  std::string error;
  EXPECT_TRUE(relation.make(problem.attentions[0].pieces[0], {tokens, tokens}, {}, error)) << error;
  return relation.countPairs(own, relation.makeRuns(own, true), {0, 1});
}

/// Computes `time` in tiles, and looks for messages after each.
static void computeTiles(LocalNetwork &network, int32_t rank, int64_t time, Gather *exchange, Message &message) {
  constexpr int64_t tiles = 64;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    network.compute(rank, time / tiles);
    if (exchange) {
      EXPECT_EQ(exchange->look(message), XFRT_OK) << message.get();
    }
  }
}

static void addNothing(char *, const char *, int64_t) {}

/// One pass: local pairs while keys come, then those with keys that came; backward their gradients go home.
static void runPass(Channel &channel, LocalNetwork &network, const Routes &routes, const Rows &own, const Rows &held,
                    int64_t localTime, int64_t remoteTime, bool isBackward) {
  Message message;
  Gather exchange(channel, routes, headBytes, "keys of attention 0");
  EXPECT_EQ(exchange.start(own, message), XFRT_OK) << message.get();
  computeTiles(network, channel.rank(), localTime, &exchange, message);
  for (int32_t stage = 0; stage < routes.stages; ++stage) {
    EXPECT_EQ(exchange.wait(stage, message), XFRT_OK) << message.get();
    computeTiles(network, channel.rank(), remoteTime / routes.stages, nullptr, message);
    EXPECT_EQ(exchange.release(stage, message), XFRT_OK) << message.get();
  }
  EXPECT_EQ(exchange.finish(message), XFRT_OK) << message.get();
  if (isBackward) {
    EXPECT_EQ(bringHome(channel, routes, headBytes, "d_k, d_v of attention 0", own, held, addNothing, message), XFRT_OK)
        << message.get();
  }
}

/// Forward, and backward where `isTrained`; a pair takes `pairTime` ps forward and 2.5 times that backward.
static std::vector<Times> runAll(int64_t pairTime, int64_t byteTime, bool isTrained) {
  NetworkOptions options;
  options.ranks = 2;
  options.byteTime = byteTime;
  LocalNetwork network(options);
  plan::Problem problem = makeProblem();
  std::vector<Times> times(2);
  network.run([&](const xfrt_communicator &communicator) {
    const int32_t rank = communicator.rank;
    plan::Planner planner;
    std::string error;
    ASSERT_TRUE(planner.make(problem, error)) << error;
    plan::RankPlan plan = planner.findRank(0, rank);
    plan::TokenSet own = planner.plan().placement.tokensOf(rank), came;
    for (const plan::Transfer &transfer : plan.keysReceived)
      came = unite(came, transfer.tokens);
    ASSERT_TRUE(plan.queriesReceived.empty() && !came.empty());
    std::vector<char> memory(size_t(countTokens(own) * 2 * headBytes)), more(size_t(countTokens(came) * 2 * headBytes));
    Rows ownRows(memory.data(), own, {0, 2}, headBytes), heldRows(more.data(), came, {0, 2}, headBytes);
    Routes routes = makeRoutes(planner.plan().placement, rank, plan.keysReceived, plan.keysSent);
    Channel channel(communicator, 600000, "entry 'train'");
    const int64_t all = plan.shares[0].pairs * plan.heads.size(), local = countLocal(problem, own) * plan.heads.size();
    const int64_t sent = planner.count(0, plan).bytesSent; // keys once and their gradients
    auto timeOf = [&](int64_t pairs, double factor) { return int64_t(double(pairs * pairTime) * factor / 1000); };
    runPass(channel, network, routes, ownRows, heldRows, timeOf(local, 1), timeOf(all - local, 1), false);
    times[size_t(rank)] = {timeOf(all, 1), sent / 2 * byteTime / 1000, 0};
    if (isTrained) {
      runPass(channel, network, routes, ownRows, heldRows, timeOf(local, 2.5), timeOf(all - local, 2.5), true);
      times[size_t(rank)].compute = timeOf(all, 3.5);
      times[size_t(rank)].wire += sent * byteTime / 1000;
    }
    times[size_t(rank)].taken = network.clock(rank);
  });
  return times;
}

/// The wire takes from nothing to half of what computing takes: forward it is hidden behind local pairs.
TEST(Overlap, HidesKeysBehindLocalPairs) {
  for (int64_t byteTime : {10, 100, 400, 600})
    for (const Times &rank : runAll(20, byteTime, false)) {
      EXPECT_GT(rank.compute, rank.wire) << byteTime;
      EXPECT_LE(double(rank.taken), 1.15 * double(std::max(rank.compute, rank.wire))) << "wire " << rank.wire;
    }
}

/// Forward and backward, to two fifths of the time on the wire; gradients of keys go home at the end, in the open.
TEST(Overlap, HidesMostOfATrainingStep) {
  for (int64_t byteTime : {10, 100, 400, 600})
    for (const Times &rank : runAll(20, byteTime, true))
      EXPECT_LE(double(rank.taken), 1.15 * double(std::max(rank.compute, rank.wire))) << "wire " << rank.wire;
}

/// Without pairs to hide it behind, the wire's time is all there.
TEST(Overlap, HidesNothingWhereNothingIsComputed) {
  for (const Times &rank : runAll(0, 1000, true)) {
    EXPECT_EQ(rank.compute, 0);
    EXPECT_GE(rank.taken, rank.wire);
  }
}
