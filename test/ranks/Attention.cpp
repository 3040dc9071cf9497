//===- Attention.cpp - Attention on ranks, pair by pair -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "lib/ranks/Exchange.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace xfrt;
using plan::Interval;
using plan::Mode;
using plan::Placement;
using plan::RankPlan;
using plan::TokenSet;

static constexpr int64_t heads = 4, keyHeads = 2, width = 8;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

std::vector<std::string> xfrt::caseNames() {
  std::vector<std::string> names = plan::smallNames();
  names.push_back("documents");
  names.push_back("drawn blocks");
  return names;
}

static std::vector<plan::Piece> makePieces(const std::string &name, int64_t tokens) {
  if (name == "documents") {
    std::vector<plan::Piece> pieces = plan::loadPieces("causal");
    pieces[0].hasBoxes = true;
    pieces[0].boxes = plan::makeBoxes(tokens, {20, 5, 65, 2, 38, 50, 26, 30, 20});
    return pieces;
  }
  if (name != "drawn blocks")
    return plan::loadPieces(name);
  std::vector<plan::Piece> pieces(1);
  pieces[0].hasBoxes = true;
  plan::Random random(7);
  for (int64_t begin = 0; begin < tokens; begin += 16) { // one block of keys for each block of queries
    int64_t key = random.below((tokens + 15) / 16) * 16;
    pieces[0].boxes.push_back({{begin, std::min(tokens, begin + 16)}, {key, std::min(tokens, key + 16)}});
  }
  return pieces;
}

Case xfrt::makeCase(const std::string &name, int64_t tokens, int32_t ranks, int64_t byteTime, int64_t stageBytes) {
  Case made;
  made.name = name + " of " + std::to_string(tokens) + " on " + std::to_string(ranks);
  made.problem.tokens = tokens;
  made.problem.ranks = ranks;
  made.problem.stageBytes = stageBytes;
  made.problem.machine = {224, byteTime, 0, 0, 1, byteTime == 1};
  made.problem.attentions.resize(1);
  made.problem.attentions[0] = {makePieces(name, tokens), {}, tokens, {heads, keyHeads, width, width, 8, 8}, 1};
  for (const plan::Piece &piece : made.problem.attentions[0].pieces)
    EXPECT_TRUE(made.table.add(piece, {tokens, tokens}));
  return made;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A number in (-2, 2) that is the same on every rank.
static double draw(int64_t tensor, int64_t token, int64_t head, int64_t column) {
  uint64_t x = uint64_t(((tensor * 4099 + token) * 17 + head) * 31 + column) * 0x9e3779b97f4a7c15 + 12345;
  for (int round = 0; round < 2; ++round) {
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9;
  }
  return double(x >> 11) * 0x1p-51 - 2;
}

enum Tensor { Query, Key, Value, OutputGradient };

namespace {
/// Rows with memory of their own.
struct Block {
  std::vector<double> numbers;
  Rows rows;
  int64_t columns = 0;

  Block() = default;
  Block(TokenSet tokens, Interval some, int64_t columns, double fill)
      : numbers(size_t(countTokens(tokens) * some.size() * columns), fill),
        rows(reinterpret_cast<char *>(numbers.data()), std::move(tokens), some, columns * 8), columns(columns) {}
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  double *find(int64_t token, int64_t head) const { return reinterpret_cast<double *>(rows.find(token, head)); }
};

/// A query with what comes of it: m, l and o, or d_q.
struct QueryRow {
  int64_t token;
  const double *query, *gradient; // d_o, log-sum-exp, delta; null in the forward pass
  double *sum;
};
struct KeyRow {
  int64_t token;
  const double *key; // then the value
  double *sum;       // d_k, d_v; null in the forward pass
};
} // namespace

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int64_t d = 0; d < width; ++d)
    sum += a[d] * b[d];
  return sum;
}

static const double scale = 1 / std::sqrt(double(width));

/// Adds a pair to (m, l, o).
static void addForward(const QueryRow &query, const KeyRow &key) {
  double score = dot(query.query, key.key) * scale, *sum = query.sum;
  double top = std::max(sum[0], score), old = std::exp(sum[0] - top), weight = std::exp(score - top);
  sum[0] = top;
  sum[1] = sum[1] * old + weight;
  for (int64_t d = 0; d < width; ++d)
    sum[2 + d] = sum[2 + d] * old + weight * key.key[width + d];
}

static void addBackward(const QueryRow &query, const KeyRow &key) {
  const double *gradient = query.gradient;
  double weight = std::exp(dot(query.query, key.key) * scale - gradient[width]);
  double ds = weight * (dot(gradient, key.key + width) - gradient[width + 1]) * scale;
  for (int64_t d = 0; d < width; ++d) {
    query.sum[d] += ds * key.key[d];
    key.sum[d] += ds * query.query[d];
    key.sum[width + d] += weight * gradient[d];
  }
}

static void mergeSoftmax(char *row, const char *other, int64_t) {
  auto *mine = reinterpret_cast<double *>(row);
  double theirs[2 + width];
  std::memcpy(theirs, other, sizeof theirs);
  double top = std::max(mine[0], theirs[0]);
  double a = mine[0] == -infinity ? 0 : std::exp(mine[0] - top),
         b = theirs[0] == -infinity ? 0 : std::exp(theirs[0] - top);
  mine[0] = top;
  for (int64_t d = 1; d < 2 + width; ++d)
    mine[d] = mine[d] * a + theirs[d] * b;
}

static void add(char *row, const char *other, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 8) {
    double theirs;
    std::memcpy(&theirs, other + at, 8);
    reinterpret_cast<double *>(row)[at / 8] += theirs;
  }
}

//===----------------------------------------------------------------------===//
// One rank
//===----------------------------------------------------------------------===//

namespace {
/// Tokens that came to a rank, by transfers.
TokenSet tokensOf(const std::vector<plan::Transfer> &transfers) {
  TokenSet tokens;
  for (const plan::Transfer &transfer : transfers)
    tokens = unite(tokens, transfer.tokens);
  return tokens;
}

/// One rank of a case, forward and backward.
class Runner {
public:
  Runner(const Case &of, const xfrt_communicator &communicator, const Setting &setting)
      : of(of), setting(setting), rank(communicator.rank), channel(communicator, setting.timeout, "entry 'train'") {}

  Outcome run() {
    Outcome outcome;
    outcome.status = runAll(outcome);
    if (outcome.status != XFRT_OK)
      outcome.text = message.get();
    return outcome;
  }

private:
  xfrt_status runAll(Outcome &outcome);
  xfrt_status gather(const Routes &routes, int64_t columns, const char *what, const Block &from, Block &to);
  xfrt_status visitKeys(const char *what, bool isBackward, Outcome &outcome);
  void computeWith(const std::function<const double *(int64_t, int64_t)> &find, bool isBackward);
  bool isMine(int64_t query, int64_t key) const;
  xfrt_status forward(Outcome &outcome);
  xfrt_status backward(Outcome &outcome);
  void fill(Block &block, Tensor tensor, int64_t first);

  const Case &of;
  const Setting &setting;
  const int32_t rank;
  Channel channel;
  Message message;
  plan::Planner planner;
  Placement placement;
  std::vector<int32_t> owners;
  RankPlan plan;
  Routes keyRoutes, queryRoutes;
  TokenSet own, heldKeys, heldQueries;
  // Of its own tokens, and of those that came.
  std::unique_ptr<Block> query[2], gradient[2], partial[2], queryGradient[2], keyGradient[2], keyValue;
};
} // namespace

/// Whether this rank computes a pair, by the definition of modes.
bool Runner::isMine(int64_t i, int64_t j) const {
  int piece = of.table.pieceOf(i, j);
  if (piece < 0)
    return false;
  Mode mode = planner.plan().modes[0][size_t(piece)];
  if (mode.kind == Mode::Kind::Heads)
    return true;
  if (mode.kind == Mode::Kind::Residues) {
    int64_t residues = of.problem.attentions[0].pieces[size_t(piece)].residues;
    return of.table.residueOf(i, j) * placement.ranks / residues == rank;
  }
  int32_t columns = placement.ranks / mode.rows;
  return owners[size_t(i)] / columns * columns + owners[size_t(j)] % columns == rank;
}

void Runner::fill(Block &block, Tensor tensor, int64_t first) {
  for (const Interval &interval : own)
    for (int64_t t = interval.begin; t < interval.end; ++t)
      for (int64_t h = 0; h < (tensor == Key || tensor == Value ? keyHeads : heads); ++h)
        for (int64_t d = 0; d < width; ++d)
          block.find(t, h)[first + d] = draw(tensor, t, h, d);
}

/// Brings rows of queries, of all stages, to where they remain.
xfrt_status Runner::gather(const Routes &routes, int64_t columns, const char *what, const Block &from, Block &to) {
  Gather exchange(channel, routes, columns * 8, what);
  if (xfrt_status status = exchange.start(from.rows, message))
    return status;
  for (int32_t stage = 0; stage < routes.stages; ++stage) {
    if (xfrt_status status = exchange.wait(stage, message))
      return status;
    for (const Interval &interval : heldQueries)
      for (int64_t t = interval.begin; t < interval.end; ++t)
        for (int64_t h = plan.heads.begin; h < plan.heads.end; ++h)
          if (const char *row = exchange.find(stage, t, h))
            std::memcpy(to.find(t, h), row, size_t(columns * 8));
    if (xfrt_status status = exchange.release(stage, message))
      return status;
  }
  return exchange.finish(message);
}

/// Computes all pairs of this rank with the keys that `find` has.
void Runner::computeWith(const std::function<const double *(int64_t, int64_t)> &find, bool isBackward) {
  int64_t tokens = of.problem.tokens, pairs = 0;
  for (int64_t j = 0; j < tokens; ++j)
    for (int64_t h = plan.heads.begin; h < plan.heads.end; ++h) {
      const double *keys = find(j, h / (heads / keyHeads));
      if (!keys)
        continue;
      for (int64_t i = 0; i < tokens; ++i) {
        if (!isMine(i, j))
          continue;
        int isHeld = owners[size_t(i)] != rank, isKeyHeld = owners[size_t(j)] != rank;
        QueryRow row = {i, query[isHeld]->find(i, h), isBackward ? gradient[isHeld]->find(i, h) : nullptr,
                        (isBackward ? queryGradient : partial)[isHeld]->find(i, h)};
        ++pairs;
        if (isBackward)
          addBackward(row, {j, keys, keyGradient[isKeyHeld]->find(j, h / (heads / keyHeads))});
        else
          addForward(row, {j, keys, nullptr});
      }
    }
  if (setting.computed)
    setting.computed(pairs);
}

/// Local keys first, then those that come, stage by stage.
xfrt_status Runner::visitKeys(const char *what, bool isBackward, Outcome &outcome) {
  Gather exchange(channel, keyRoutes, 2 * width * 8, what);
  outcome.stageBytes = exchange.bufferBytes();
  outcome.stages = keyRoutes.stages;
  if (xfrt_status status = exchange.start(keyValue->rows, message))
    return status;
  computeWith([&](int64_t j, int64_t h) { return keyValue->find(j, h); }, isBackward);
  if (xfrt_status status = exchange.look(message))
    return status;
  for (int32_t stage = 0; stage < keyRoutes.stages; ++stage) {
    if (xfrt_status status = exchange.wait(stage, message))
      return status;
    computeWith([&](int64_t j, int64_t h) { return reinterpret_cast<const double *>(exchange.find(stage, j, h)); },
                isBackward);
    if (xfrt_status status = exchange.release(stage, message))
      return status;
  }
  return exchange.finish(message);
}

xfrt_status Runner::forward(Outcome &outcome) {
  if (xfrt_status status = gather(queryRoutes, width, "queries of attention 0", *query[0], *query[1]))
    return status;
  if (xfrt_status status = visitKeys("keys of attention 0", false, outcome))
    return status;
  return bringHome(channel, queryRoutes, (2 + width) * 8, "results of attention 0", partial[0]->rows, partial[1]->rows,
                   mergeSoftmax, message);
}

xfrt_status Runner::backward(Outcome &outcome) {
  for (const Interval &interval : own)
    for (int64_t t = interval.begin; t < interval.end; ++t)
      for (int64_t h = 0; h < heads; ++h) {
        double *sum = partial[0]->find(t, h), *row = gradient[0]->find(t, h);
        for (int64_t d = 0; d < width; ++d)
          sum[2 + d] = sum[1] > 0 ? sum[2 + d] / sum[1] : 0;
        row[width] = sum[0] + std::log(sum[1]);
        row[width + 1] = dot(row, sum + 2);
      }
  if (xfrt_status status = gather(queryRoutes, width + 2, "gradients of attention 0", *gradient[0], *gradient[1]))
    return status;
  if (xfrt_status status = visitKeys("keys of attention 0, backward", true, outcome))
    return status;
  if (xfrt_status status = bringHome(channel, queryRoutes, width * 8, "d_q of attention 0", queryGradient[0]->rows,
                                     queryGradient[1]->rows, add, message))
    return status;
  return bringHome(channel, keyRoutes, 2 * width * 8, "d_k, d_v of attention 0", keyGradient[0]->rows,
                   keyGradient[1]->rows, add, message);
}

xfrt_status Runner::runAll(Outcome &outcome) {
  std::string error;
  if (!planner.make(of.problem, error))
    return message.fail(XFRT_INVALID_ARGUMENT, "%s", error.c_str());
  if (xfrt_status status = channel.agree({planner.plan().hash, of.problem.tokens}, XFRT_OK, message))
    return status;
  placement = planner.plan().placement;
  for (size_t c = 0; c < placement.owners.size(); ++c)
    owners.insert(owners.end(), size_t(placement.bounds[c + 1] - placement.bounds[c]), placement.owners[c]);
  plan = planner.findRank(0, rank);
  keyRoutes = makeRoutes(placement, rank, plan.keysReceived, plan.keysSent);
  queryRoutes = makeRoutes(placement, rank, plan.queriesReceived, plan.queriesSent);
  own = placement.tokensOf(rank);
  heldKeys = tokensOf(plan.keysReceived);
  heldQueries = tokensOf(plan.queriesReceived);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int isHeld : {0, 1}) {
    const TokenSet &queries = isHeld ? heldQueries : own;
    Interval some = isHeld ? plan.heads : Interval{0, heads};
    query[isHeld] = std::make_unique<Block>(queries, some, width, nan);
    gradient[isHeld] = std::make_unique<Block>(queries, some, width + 2, nan);
    partial[isHeld] = std::make_unique<Block>(queries, some, width + 2, 0);
    for (size_t at = 0; at < partial[isHeld]->numbers.size(); at += width + 2)
      partial[isHeld]->numbers[at] = -infinity;
    queryGradient[isHeld] = std::make_unique<Block>(queries, some, width, 0);
    keyGradient[isHeld] =
        std::make_unique<Block>(isHeld ? heldKeys : own, isHeld ? plan.keyHeads : Interval{0, keyHeads}, 2 * width, 0);
  }
  keyValue = std::make_unique<Block>(own, Interval{0, keyHeads}, 2 * width, nan);
  fill(*query[0], Query, 0);
  fill(*gradient[0], OutputGradient, 0);
  fill(*keyValue, Key, 0);
  fill(*keyValue, Value, width);
  if (setting.refusing == rank) {
    channel.refuse(XFRT_OUT_OF_RANGE);
    message.fail(XFRT_OUT_OF_RANGE, "entry 'train': expected tokens below 256, got 300");
  }
  if (xfrt_status status = forward(outcome))
    return status;
  if (xfrt_status status = backward(outcome))
    return status;
  if (xfrt_status status = channel.finish(message))
    return status;
  for (int64_t columns : {0, 1, 2, 3})
    for (const Interval &interval : own)
      for (int64_t t = interval.begin; t < interval.end; ++t)
        for (int64_t h = 0; h < (columns < 2 ? heads : keyHeads); ++h) {
          const double *row = columns == 0   ? partial[0]->find(t, h) + 2
                              : columns == 1 ? queryGradient[0]->find(t, h)
                                             : keyGradient[0]->find(t, h) + (columns - 2) * width;
          outcome.results.insert(outcome.results.end(), row, row + width);
        }
  return XFRT_OK;
}

Outcome xfrt::runRank(const Case &of, const xfrt_communicator &communicator, const Setting &setting) {
  return Runner(of, communicator, setting).run();
}

//===----------------------------------------------------------------------===//
// One place
//===----------------------------------------------------------------------===//

std::vector<double> xfrt::expectedResults(const Case &of, int32_t rank) {
  int64_t tokens = of.problem.tokens;
  TokenSet all = plan::unite(std::vector<Interval>{{0, tokens}});
  Block output(all, {0, heads}, width, 0), dq(all, {0, heads}, width, 0), dkv(all, {0, keyHeads}, 2 * width, 0);
  std::vector<double> query(width), key(2 * width), gradient(width + 2), score(static_cast<size_t>(tokens));
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < tokens; ++i) {
      int64_t keyHead = h / (heads / keyHeads);
      double top = -infinity, sum = 0, *o = output.find(i, h);
      for (int64_t d = 0; d < width; ++d) {
        query[size_t(d)] = draw(Query, i, h, d);
        gradient[size_t(d)] = draw(OutputGradient, i, h, d);
      }
      auto loadKey = [&](int64_t j) {
        for (int64_t d = 0; d < width; ++d) {
          key[size_t(d)] = draw(Key, j, keyHead, d);
          key[size_t(width + d)] = draw(Value, j, keyHead, d);
        }
      };
      for (int64_t j = 0; j < tokens; ++j) {
        if (of.table.pieceOf(i, j) < 0)
          continue;
        loadKey(j);
        score[size_t(j)] = dot(query.data(), key.data()) * scale;
        top = std::max(top, score[size_t(j)]);
      }
      for (int64_t j = 0; j < tokens; ++j)
        sum += of.table.pieceOf(i, j) < 0 ? 0 : std::exp(score[size_t(j)] - top);
      for (int64_t j = 0; j < tokens; ++j) {
        if (of.table.pieceOf(i, j) < 0)
          continue;
        loadKey(j);
        for (int64_t d = 0; d < width; ++d)
          o[d] += std::exp(score[size_t(j)] - top) / sum * key[size_t(width + d)];
      }
      gradient[width] = top + std::log(sum);
      gradient[width + 1] = dot(gradient.data(), o);
      for (int64_t j = 0; j < tokens; ++j) {
        if (of.table.pieceOf(i, j) < 0)
          continue;
        loadKey(j);
        addBackward({i, query.data(), gradient.data(), dq.find(i, h)}, {j, key.data(), dkv.find(j, keyHead)});
      }
    }
  plan::Planner planner;
  std::string error;
  EXPECT_TRUE(planner.make(of.problem, error)) << error;
  std::vector<double> results;
  for (int64_t columns : {0, 1, 2, 3})
    for (const Interval &interval : planner.plan().placement.tokensOf(rank))
      for (int64_t t = interval.begin; t < interval.end; ++t)
        for (int64_t h = 0; h < (columns < 2 ? heads : keyHeads); ++h) {
          const double *row = columns == 0   ? output.find(t, h)
                              : columns == 1 ? dq.find(t, h)
                                             : dkv.find(t, h) + (columns - 2) * width;
          results.insert(results.end(), row, row + width);
        }
  return results;
}

double xfrt::differenceOf(const std::vector<double> &results, const std::vector<double> &expected) {
  if (results.size() != expected.size())
    return infinity;
  double most = 0, largest = 1e-300;
  for (size_t n = 0; n < results.size(); ++n) {
    if (std::isnan(results[n]))
      return infinity;
    most = std::max(most, std::abs(results[n] - expected[n]));
    largest = std::max(largest, std::abs(expected[n]));
  }
  return most / largest;
}
