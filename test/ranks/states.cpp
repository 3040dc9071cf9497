//===- states.cpp - Kernelised attention by sums of states -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ranks/States.h"
#include "LocalNetwork.h"
#include "lib/plan/Placement.h"
#include "plan/PairTable.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace xfrt;
using plan::StateScan;

static constexpr int64_t heads = 4, keyHeads = 2, width = 16, features = 16, columns = width + 1; // of v, and 1
static constexpr int64_t stateNumbers = keyHeads * features * columns, stateBytes = stateNumbers * 8;
static constexpr double guard = 1e-6;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
/// Some tokens of an attention, with results and gradients.
struct Tokens {
  int64_t begin = 0, end = 0;
  std::vector<double> query, gradient; // [token][head][width]
  std::vector<double> key, value;      // [token][key head][width]
  std::vector<double> o, queryGradient, keyGradient, valueGradient;

  Tokens(int64_t begin, int64_t end);
  int64_t count() const { return end - begin; }
};
using State = std::vector<double>; // [key head][feature][column]
} // namespace

/// Numbers that are the same whichever rank has the token.
static double draw(int64_t tensor, int64_t at) {
  plan::Random random(uint64_t(tensor * 1000003 + at));
  return double(random.below(4001) - 2000) / 1000;
}

Tokens::Tokens(int64_t begin, int64_t end) : begin(begin), end(end) {
  auto fill = [&](std::vector<double> &numbers, int64_t tensor, int64_t ofToken) {
    for (int64_t n = begin * ofToken; n < end * ofToken; ++n)
      numbers.push_back(draw(tensor, n));
  };
  fill(query, 0, heads * width);
  fill(gradient, 1, heads * width);
  fill(key, 2, keyHeads * width);
  fill(value, 3, keyHeads * width);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  o.assign(query.size(), nan);
  queryGradient.assign(query.size(), nan);
  keyGradient.assign(key.size(), nan);
  valueGradient.assign(value.size(), nan);
}

static double phi(double x) { return x > 0 ? x + 1 : std::exp(x); }
static double slope(double x) { return x > 0 ? 1 : std::exp(x); }

/// Adds phi(x) y^T, of one head.
static void addOuter(const double *x, bool isMapped, const double *y, double *state) {
  for (int64_t m = 0; m < features; ++m)
    for (int64_t c = 0; c < columns; ++c)
      state[m * columns + c] += (isMapped ? phi(x[m]) : x[m]) * y[c];
}

/// Of a query's head the gradients of its sums: of the numerator, then of the denominator.
static void findSums(const Tokens &of, size_t row, const double *state, double *sums, double *gradients) {
  for (int64_t c = 0; c < columns; ++c) {
    sums[c] = 0;
    for (int64_t m = 0; m < features; ++m)
      sums[c] += phi(of.query[row * width + size_t(m)]) * state[m * columns + c];
  }
  const double z = sums[width] + guard;
  gradients[width] = 0;
  for (int64_t d = 0; d < width; ++d) {
    gradients[d] = of.gradient[row * width + size_t(d)] / z;
    gradients[width] -= gradients[d] * sums[d] / z;
  }
}

static void load(const Tokens &of, size_t keyRow, double *value) {
  std::memcpy(value, &of.value[keyRow * width], width * sizeof(double));
  value[width] = 1;
}

static State stateOf(const Tokens &of) {
  State state(stateNumbers);
  double value[columns];
  for (int64_t t = 0; t < of.count(); ++t)
    for (int64_t h = 0; h < keyHeads; ++h) {
      load(of, size_t(t * keyHeads + h), value);
      addOuter(&of.key[size_t(t * keyHeads + h) * width], true, value, &state[size_t(h * features * columns)]);
    }
  return state;
}

/// Results of queries, from the state of others, which causal ones see grow by the keys up to themselves. Returns what
/// all queries make of the gradient of the state, and sets gradients of queries.
static State visitQueries(Tokens &of, State state, bool isCausal) {
  State back(stateNumbers);
  double value[columns], sums[columns], gradients[columns], mapped[features];
  for (int64_t t = 0; t < of.count(); ++t) {
    for (int64_t h = 0; isCausal && h < keyHeads; ++h) {
      load(of, size_t(t * keyHeads + h), value);
      addOuter(&of.key[size_t(t * keyHeads + h) * width], true, value, &state[size_t(h * features * columns)]);
    }
    for (int64_t h = 0; h < heads; ++h) {
      const size_t row = size_t(t * heads + h), at = size_t(h / (heads / keyHeads) * features * columns);
      findSums(of, row, &state[at], sums, gradients);
      for (int64_t d = 0; d < width; ++d)
        of.o[row * width + size_t(d)] = sums[d] / (sums[width] + guard);
      for (int64_t m = 0; m < features; ++m) {
        const double x = of.query[row * width + size_t(m)];
        mapped[m] = phi(x);
        double sum = 0;
        for (int64_t c = 0; c < columns; ++c)
          sum += gradients[c] * state[at + size_t(m * columns + c)];
        of.queryGradient[row * width + size_t(m)] = sum * slope(x);
      }
      addOuter(mapped, false, gradients, &back[at]);
    }
  }
  return back;
}

/// Gradients of keys and values, from the gradient of the state by queries of others; causal ones from the last token
/// to the first.
static void visitKeys(Tokens &of, State ahead, State back, bool isCausal) {
  double value[columns], sums[columns], gradients[columns], mapped[features];
  State state = std::move(ahead); // of the forward pass, of all keys up to the token
  for (int64_t t = of.count() - 1; t >= 0; --t) {
    for (int64_t h = 0; isCausal && h < heads; ++h) {
      const size_t row = size_t(t * heads + h), at = size_t(h / (heads / keyHeads) * features * columns);
      findSums(of, row, &state[at], sums, gradients);
      for (int64_t m = 0; m < features; ++m)
        mapped[m] = phi(of.query[row * width + size_t(m)]);
      addOuter(mapped, false, gradients, &back[at]);
    }
    for (int64_t h = 0; h < keyHeads; ++h) {
      const size_t row = size_t(t * keyHeads + h), at = size_t(h * features * columns);
      load(of, row, value);
      for (int64_t d = 0; d < width; ++d)
        of.valueGradient[row * width + size_t(d)] = 0;
      for (int64_t m = 0; m < features; ++m) {
        const double x = of.key[row * width + size_t(m)];
        double sum = 0;
        for (int64_t c = 0; c < columns; ++c)
          sum += back[at + size_t(m * columns + c)] * value[c];
        of.keyGradient[row * width + size_t(m)] = sum * slope(x);
        for (int64_t d = 0; d < width; ++d)
          of.valueGradient[row * width + size_t(d)] += back[at + size_t(m * columns + d)] * phi(x);
        for (int64_t c = 0; isCausal && c < columns; ++c)
          state[at + size_t(m * columns + c)] -= phi(x) * value[c]; // of the token before
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

static void addNumbers(char *sum, const char *other, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 8) {
    double a, b;
    std::memcpy(&a, sum + at, 8);
    std::memcpy(&b, other + at, 8);
    a += b;
    std::memcpy(sum + at, &a, 8);
  }
}

static xfrt_status runScan(Channel &channel, StateScan scan, const State &mine, State &sum, Message &message) {
  States states(channel, scan, stateBytes, addNumbers, "states of attention 0");
  sum.assign(stateNumbers, std::numeric_limits<double>::quiet_NaN());
  return states.run(reinterpret_cast<const char *>(mine.data()), reinterpret_cast<char *>(sum.data()), message);
}

static State plus(State a, const State &b) {
  for (size_t n = 0; n < a.size(); ++n)
    a[n] += b[n];
  return a;
}

/// Forward and backward, of the tokens of one rank.
static xfrt_status runRank(Channel &channel, Tokens &mine, bool isCausal, Message &message) {
  const StateScan scan = isCausal ? StateScan::Before : StateScan::All;
  State own = stateOf(mine), others, back;
  if (xfrt_status status = runScan(channel, scan, own, others, message))
    return status;
  State made = visitQueries(mine, others, isCausal);
  if (xfrt_status status = runScan(channel, plan::transposeScan(scan), made, back, message))
    return status;
  visitKeys(mine, plus(others, own), back, isCausal);
  return channel.finish(message);
}

namespace {
struct Outcome {
  xfrt_status status = XFRT_OK;
  std::string text;
  std::vector<double> results;
  int64_t bytesSent = 0;
};
} // namespace

static std::vector<Outcome> runAll(int64_t tokens, bool isCausal, NetworkOptions options, int64_t timeout = 60000) {
  LocalNetwork network(options);
  std::vector<Outcome> outcomes{size_t(options.ranks)};
  const plan::Placement placement = plan::placeInOrder(tokens, options.ranks, 1);
  network.run([&](const xfrt_communicator &communicator) {
    Outcome &outcome = outcomes[size_t(communicator.rank)];
    Channel channel(communicator, timeout, "entry 'train'");
    Message message;
    Tokens mine(placement.bounds[size_t(communicator.rank)], placement.bounds[size_t(communicator.rank) + 1]);
    outcome.status = runRank(channel, mine, isCausal, message);
    if (outcome.status != XFRT_OK)
      outcome.text = message.get();
    for (const std::vector<double> *part : {&mine.o, &mine.queryGradient, &mine.keyGradient, &mine.valueGradient})
      outcome.results.insert(outcome.results.end(), part->begin(), part->end());
    outcome.bytesSent = network.bytesSent(communicator.rank);
  });
  return outcomes;
}

/// Of all tokens in one place, pair by pair.
static Tokens computeInOnePlace(int64_t tokens, bool isCausal) {
  Tokens all(0, tokens);
  std::fill(all.keyGradient.begin(), all.keyGradient.end(), 0);
  std::fill(all.valueGradient.begin(), all.valueGradient.end(), 0);
  for (int64_t i = 0; i < tokens; ++i)
    for (int64_t h = 0; h < heads; ++h) {
      const int64_t keyHead = h / (heads / keyHeads), last = isCausal ? i + 1 : tokens;
      const size_t row = size_t(i * heads + h) * width;
      std::vector<double> weight(size_t(last), 0.0);
      double z = guard, numerator[width] = {}, share = 0;
      for (int64_t j = 0; j < last; ++j) {
        const size_t keyRow = size_t(j * keyHeads + keyHead) * width;
        for (size_t m = 0; m < features; ++m)
          weight[size_t(j)] += phi(all.query[row + m]) * phi(all.key[keyRow + m]);
        z += weight[size_t(j)];
        for (size_t d = 0; d < width; ++d)
          numerator[d] += weight[size_t(j)] * all.value[keyRow + d];
      }
      for (size_t d = 0; d < width; ++d) {
        all.o[row + d] = numerator[d] / z;
        share += all.gradient[row + d] * all.o[row + d];
        all.queryGradient[row + d] = 0;
      }
      for (int64_t j = 0; j < last; ++j) {
        const size_t keyRow = size_t(j * keyHeads + keyHead) * width;
        double ofWeight = -share;
        for (size_t d = 0; d < width; ++d) {
          ofWeight += all.gradient[row + d] * all.value[keyRow + d];
          all.valueGradient[keyRow + d] += weight[size_t(j)] / z * all.gradient[row + d];
        }
        for (size_t m = 0; m < features; ++m) {
          all.queryGradient[row + m] += ofWeight / z * phi(all.key[keyRow + m]) * slope(all.query[row + m]);
          all.keyGradient[keyRow + m] += ofWeight / z * phi(all.query[row + m]) * slope(all.key[keyRow + m]);
        }
      }
    }
  return all;
}

/// Differences of some tokens, relative to the largest number of all tokens: of the first one d_q is nothing but guard.
static void expectClose(const double *results, const std::vector<double> &expected, size_t begin, size_t count,
                        const char *what) {
  double most = 0, largest = 0;
  for (double number : expected)
    largest = std::max(largest, std::abs(number));
  for (size_t n = 0; n < count; ++n) {
    ASSERT_FALSE(std::isnan(results[n])) << what;
    most = std::max(most, std::abs(results[n] - expected[begin + n]));
  }
  EXPECT_LT(most, 1e-12 * largest) << what;
}

static void expectThatOfOnePlace(int64_t tokens, int32_t ranks, bool isCausal) {
  SCOPED_TRACE(std::to_string(tokens) + " tokens on " + std::to_string(ranks) + (isCausal ? ", causal" : ", dense"));
  Tokens all = computeInOnePlace(tokens, isCausal);
  NetworkOptions options;
  options.ranks = ranks;
  std::vector<Outcome> outcomes = runAll(tokens, isCausal, options);
  const plan::Placement placement = plan::placeInOrder(tokens, ranks, 1);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const Outcome &outcome = outcomes[size_t(rank)];
    ASSERT_EQ(outcome.status, XFRT_OK) << outcome.text;
    const double *results = outcome.results.data();
    const size_t begin = size_t(placement.bounds[size_t(rank)]),
                 count = size_t(placement.bounds[size_t(rank) + 1]) - begin;
    for (const auto &[part, some, name] :
         {std::tuple(&all.o, heads, "o"), std::tuple(&all.queryGradient, heads, "d_q"),
          std::tuple(&all.keyGradient, keyHeads, "d_k"), std::tuple(&all.valueGradient, keyHeads, "d_v")}) {
      const size_t ofToken = size_t(some * width);
      expectClose(results, *part, begin * ofToken, count * ofToken, name);
      results += count * ofToken;
    }
  }
}

TEST(States, OnRanksAreThoseOfOnePlace) {
  for (bool isCausal : {true, false})
    for (auto [tokens, ranks] : {std::pair<int64_t, int32_t>{64, 1},
                                 {64, 2},
                                 {65, 3},
                                 {96, 4},
                                 {41, 5},
                                 {70, 7},
                                 {64, 8},
                                 {3, 4}}) // some ranks without tokens
      expectThatOfOnePlace(tokens, ranks, isCausal);
}

/// Each sum has every rank that it is of once, whatever the number of ranks.
TEST(States, AreSumsOfTheRanksThatAScanIsOf) {
  for (int32_t ranks = 1; ranks <= 33; ++ranks)
    for (StateScan scan : {StateScan::Before, StateScan::After, StateScan::All}) {
      NetworkOptions options;
      options.ranks = ranks;
      LocalNetwork network(options);
      std::vector<uint64_t> sums(static_cast<size_t>(ranks));
      network.run([&](const xfrt_communicator &communicator) {
        Channel channel(communicator, 1000, "");
        Message message;
        uint64_t own = uint64_t(1) << communicator.rank;
        auto add = [](char *sum, const char *other, int64_t) {
          uint64_t a, b;
          std::memcpy(&a, sum, 8);
          std::memcpy(&b, other, 8);
          EXPECT_EQ(a & b, 0u) << "a rank is added twice";
          a |= b;
          std::memcpy(sum, &a, 8);
        };
        States states(channel, scan, 8, add, "states");
        EXPECT_EQ(states.run(reinterpret_cast<char *>(&own), reinterpret_cast<char *>(&sums[size_t(communicator.rank)]),
                             message),
                  XFRT_OK)
            << message.get();
      });
      const uint64_t all = (uint64_t(1) << ranks) - 1;
      for (int32_t rank = 0; rank < ranks; ++rank) {
        const uint64_t before = (uint64_t(1) << rank) - 1, after = all & ~(before * 2 + 1);
        EXPECT_EQ(sums[size_t(rank)], scan == StateScan::Before  ? before
                                      : scan == StateScan::After ? after
                                                                 : all)
            << "rank " << rank << " of " << ranks;
        EXPECT_EQ(network.messagesSent(rank), plan::countStatesSent(scan, rank, ranks));
      }
    }
}

TEST(States, AreOfTheSameBitsInWhateverOrderMessagesCome) {
  for (bool isCausal : {true, false}) {
    NetworkOptions options;
    options.ranks = 7;
    std::vector<Outcome> first = runAll(90, isCausal, options);
    options.mostDelay = 1000000;
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
      std::vector<Outcome> outcomes = runAll(90, isCausal, options);
      for (size_t rank = 0; rank < 7; ++rank)
        EXPECT_EQ(outcomes[rank].results, first[rank].results) << "rank " << rank << ", seed " << options.seed;
    }
  }
}

/// Forward and backward, whatever the length: 26 KB at most.
TEST(States, TakeBytesThatDoNotGrowWithTheSequence) {
  for (bool isCausal : {true, false}) {
    std::set<int64_t> most;
    for (int64_t tokens : {64, 256, 1024}) {
      NetworkOptions options;
      options.ranks = 4;
      int64_t busiest = 0;
      for (const Outcome &outcome : runAll(tokens, isCausal, options))
        busiest = std::max(busiest, outcome.bytesSent);
      most.insert(busiest);
    }
    EXPECT_EQ(most.size(), 1u);
    EXPECT_LE(*most.rbegin(), 26 * 1024);
  }
  // Ten steps of 1024 ranks each way.
  EXPECT_EQ(plan::countLevels(StateScan::Before, 1024), 10);
  EXPECT_EQ(plan::countStatesSent(StateScan::Before, 0, 1024), 10);
  EXPECT_EQ(plan::countStatesSent(StateScan::After, 0, 1024), 0);
}

TEST(States, OfARankThatIsLostAreAFailure) {
  for (bool isCausal : {true, false})
    for (int64_t killedAfter : {0, 1, 3}) {
      NetworkOptions options;
      options.ranks = 4;
      options.killed = 1;
      options.killedAfter = killedAfter;
      int late = 0;
      std::vector<Outcome> outcomes = runAll(64, isCausal, options, 1500);
      for (size_t rank : {0, 2, 3})
        if (outcomes[rank].status != XFRT_OK) {
          EXPECT_EQ(outcomes[rank].status, XFRT_RANK_LOST) << outcomes[rank].text;
          EXPECT_NE(outcomes[rank].text.find("states of attention 0"), std::string::npos) << outcomes[rank].text;
          ++late;
        }
      EXPECT_GT(late, 0);
    }
}
