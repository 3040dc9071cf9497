//===- PlanCounts.cpp - What plans of a program's share cost --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ranks/PlanCounts.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "runtime/lib/plan/Relation.h"
#include "runtime/lib/ranks/Needs.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace xfrt;

//===----------------------------------------------------------------------===//
// Reading plans
//===----------------------------------------------------------------------===//

namespace {
/// Reads the numbers of a plan (xfrt_tables::plans) one after the other.
class Reader {
public:
  explicit Reader(ArrayRef<int64_t> numbers) : numbers(numbers) {}
  std::vector<plan::Piece> plan();

private:
  int64_t next() {
    int64_t number = numbers.front();
    numbers = numbers.drop_front();
    return number;
  }
  template <typename Read>
  auto list(Read read) {
    std::vector<decltype(read())> all;
    for (int64_t count = next(); count > 0; --count)
      all.push_back(read());
    return all;
  }
  plan::IndexMap map() { return {next(), next(), next(), next(), next(), next(), next()}; }
  plan::Row row() {
    auto number = [&] { return next(); };
    int64_t constant = next(), factor = next();
    std::vector<int64_t> symbols = list(number), divisions = list(number);
    return {constant, factor, symbols, divisions};
  }
  plan::Form form() {
    std::vector<plan::Division> divisions = list([&] { return plan::Division{row(), next()}; });
    return {divisions, row()};
  }
  plan::Piece piece() {
    plan::Piece piece;
    piece.queries = map();
    piece.keys = map();
    piece.residues = next();
    for (std::vector<plan::Form> *forms : {&piece.lower, &piece.upper, &piece.rows})
      *forms = list([&] { return form(); });
    return piece;
  }

  ArrayRef<int64_t> numbers;
};
} // namespace

std::vector<plan::Piece> Reader::plan() {
  next(); // chunks
  std::vector<plan::Piece> pieces = list([&] { return piece(); });
  for (const plan::Box &box : list([&] { return plan::Box{{next(), next()}, {next(), next()}}; })) {
    bool isNextHead =
        pieces.empty() || !pieces.back().hasBoxes || box.queries.begin < pieces.back().boxes.back().queries.begin;
    if (isNextHead)
      pieces.emplace_back().hasBoxes = true;
    pieces.back().boxes.push_back(box);
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Rows that a rank sends outward, or home.
static int64_t rowsSent(ArrayRef<int64_t> plan, int64_t queries, int64_t keys, int32_t ranks, int32_t rank,
                        bool isOutward) {
  Needs needs;
  if (!holdsPlan(plan.begin(), plan.end()) || !needs.find(plan.data(), queries, keys, ranks, rank))
    llvm::report_fatal_error("expected a plan");
  int64_t rows = 0;
  for (int32_t other = 0; other < ranks; ++other)
    rows += isOutward ? needs.sentTo(other).keys : needs.receivedFrom(other).keys;
  return rows;
}

/// The pairs of a rank's queries, of all heads, which have one pattern; each may draw its own boxes.
static int64_t pairsOf(ArrayRef<int64_t> plan, int64_t heads, int64_t queries, int64_t keys, int64_t ranks,
                       int64_t rank) {
  const plan::Sizes sizes = {queries * ranks, keys * ranks};
  const int64_t symbols[] = {sizes.queries, sizes.keys}, length = queries / plan.front();
  std::vector<plan::Piece> pieces = Reader(plan).plan();
  int64_t drawing = llvm::count_if(pieces, [](const plan::Piece &piece) { return piece.hasBoxes; }), pairs = 0;
  for (const plan::Piece &piece : pieces) {
    int64_t alike = piece.hasBoxes ? heads / drawing : heads;
    plan::Relation relation;
    std::string error;
    if (!relation.make(piece, sizes, symbols, error))
      llvm::report_fatal_error(llvm::Twine(error));
    for (int64_t turn = 0; turn < plan.front(); ++turn) {
      int64_t first = sizes.keys - sizes.queries + length * xfrt::dealtChunk(turn, rank, ranks);
      plan::Part part = relation.all();
      part.queries = {first, first + length};
      pairs += alike * relation.countPairs(part);
    }
  }
  return pairs;
}

namespace {
/// What the ops of a share make ranks send and compute.
class ShareCounter {
public:
  explicit ShareCounter(func::FuncOp share);
  PlanCounts count();

private:
  void countRows(Operation *op, Value own, Value q, DenseI64ArrayAttr plan);
  void countPairs(AttentionOp op);

  func::FuncOp share;
  int32_t ranks = 1;
  llvm::SmallDenseSet<Attribute> plansOfKeys;
  llvm::SmallDenseSet<Operation *> counted; ///< exchanges of keys, which chunks of queries have in common
  std::vector<int64_t> sent, pairs;         ///< of each rank
  int64_t gathered = 0;                     ///< bytes that a rank sends if all keys go to all ranks
};
} // namespace

ShareCounter::ShareCounter(func::FuncOp share) : share(share) {
  for (int64_t size : meshOf(share).getSizes())
    ranks *= int32_t(size);
  sent.resize(ranks);
  pairs.resize(ranks);
}

static int64_t bytesOf(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

void ShareCounter::countRows(Operation *op, Value own, Value q, DenseI64ArrayAttr plan) {
  int64_t queries = cast<RankedTensorType>(q.getType()).getDimSize(2);
  int64_t keys = cast<RankedTensorType>(own.getType()).getDimSize(2);
  for (int32_t rank = 0; rank < ranks; ++rank)
    sent[rank] +=
        bytesOf(own) / keys * rowsSent(plan.asArrayRef(), queries, keys, ranks, rank, isa<ExchangeRowsOp>(op));
  if (plansOfKeys.contains(plan))
    gathered += bytesOf(own) * (ranks - 1);
}

/// Adds the pairs of a plan's queries, or all pairs of queries that came to the keys.
void ShareCounter::countPairs(AttentionOp op) {
  int64_t heads = op.getQ().getType().getDimSize(1);
  int64_t queries = op.getQ().getType().getDimSize(2), keys = op.getK().getType().getDimSize(2);
  auto exchange = op.getK().getDefiningOp<ExchangeRowsOp>();
  if (!exchange && !isa<DensePatternAttr>(op.getPattern()))
    llvm::report_fatal_error("expected all pairs of queries that travel");
  if (exchange && !counted.insert(exchange).second)
    return;
  for (int32_t rank = 0; rank < ranks; ++rank)
    pairs[rank] += exchange ? pairsOf(exchange.getPlan(), heads, exchange.getQ().getType().getDimSize(2), keys / ranks,
                                      ranks, rank)
                            : heads * queries * keys;
}

PlanCounts ShareCounter::count() {
  share.walk([&](AttentionOp op) {
    if (auto exchange = op.getK().getDefiningOp<ExchangeRowsOp>())
      plansOfKeys.insert(exchange.getPlanAttr());
  });
  share.walk([&](ExchangeRowsOp op) { countRows(op, op.getX(), op.getQ(), op.getPlanAttr()); });
  share.walk([&](BringHomeOp op) { countRows(op, op.getY(), op.getQ(), op.getPlanAttr()); });
  share.walk([&](AllGatherOp op) {
    for (int64_t &bytes : sent)
      bytes += bytesOf(op.getX()) * (ranks - 1);
  });
  share.walk([&](AttentionOp op) { countPairs(op); });
  int64_t allPairs = std::accumulate(pairs.begin(), pairs.end(), int64_t(0));
  PlanCounts counts;
  if (gathered > 0)
    counts.sent = double(*llvm::max_element(sent)) / double(gathered);
  if (allPairs > 0)
    counts.balance = double(*llvm::max_element(pairs)) * ranks / double(allPairs);
  return counts;
}

PlanCounts xf::countPlans(func::FuncOp share) { return ShareCounter(share).count(); }
