//===- ExchangedKeys.cpp - Keys that ranks need of each other -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/ExchangedKeys.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "runtime/pieces/Work.h"
#include "runtime/pieces/Zigzag.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;

static xfrt::Sizes symbolsOf(plan::Sizes sizes) { return {{sizes.queries, sizes.keys}}; }

std::optional<ExchangedKeys> ExchangedKeys::make(std::vector<plan::Piece> pieces, plan::Sizes sizes, int64_t ranks,
                                                 int64_t chunks) {
  constexpr int64_t mostKeys = (int64_t(1) << 31) - 1; // products of two sizes stay within 63 bits
  std::vector<int64_t> plan = plan::writeNumbers(pieces);
  if (sizes.keys < 0 || sizes.keys > mostKeys || sizes.queries < 0 || sizes.queries > sizes.keys ||
      !xfrt::holdsPlan(plan.data(), plan.data() + plan.size()))
    return std::nullopt;
  ExchangedKeys exchange;
  exchange.sizes = sizes;
  exchange.ranks = ranks;
  exchange.chunks = chunks;
  exchange.pieces = std::move(pieces);
  exchange.marks.resize(size_t(sizes.keys) + 1);
  for (const plan::Piece &piece : exchange.pieces) {
    std::unique_ptr<xfrt::PieceSeen> &seen = exchange.seen.emplace_back();
    if (piece.hasBoxes)
      continue;
    seen = std::make_unique<xfrt::PieceSeen>(xfrt::PieceNumbers(piece.numbers.data()), symbolsOf(sizes),
                                             exchange.marks.data());
    if (!seen->find())
      return std::nullopt;
  }
  return exchange;
}

/// Returns the tokens that rank `rank` has among the `count` tokens that begin with token `first`.
plan::TokenSet ExchangedKeys::tokensOf(int64_t rank, int64_t count, int64_t first) const {
  int64_t length = count / (ranks * chunks);
  std::vector<plan::Interval> tokens;
  for (int64_t turn = 0; turn < chunks; ++turn) {
    int64_t begin = first + xfrt::zigzagChunk(turn, rank, ranks) * length;
    tokens.push_back({begin, begin + length});
  }
  return plan::unite(std::move(tokens));
}

plan::TokenSet ExchangedKeys::neededBy(int64_t rank, const plan::TokenSet &without) {
  std::fill(marks.begin(), marks.end(), 0);
  for (plan::Interval queries : plan::subtract(queriesOf(rank), without))
    for (auto [piece, seen] : llvm::zip(pieces, seen)) {
      xfrt::PieceSeen::Zone all = {{0, sizes.keys}, {0, 0}, {0, 0}};
      if (seen)
        seen->mark({queries.begin, queries.end}, all);
      for (const plan::Box &box : piece.boxes)
        if (plan::intersect(box.queries, queries).size() > 0)
          std::fill(marks.begin() + box.keys.begin, marks.begin() + box.keys.end, 1);
    }
  plan::TokenSet keys;
  xfrt::forEachMarked(marks.data(), {0, sizes.keys}, [&](xfrt::KeyRun run) { keys.push_back({run.begin, run.end}); });
  return keys;
}

int64_t ExchangedKeys::countPairs(const plan::TokenSet &queries) const {
  constexpr int64_t anyGroups = std::numeric_limits<int64_t>::max();
  xfrt::Work work;
  for (plan::Interval some : queries)
    for (const plan::Piece &piece : pieces) {
      for (const plan::Box &box : piece.boxes)
        work.pairs += plan::intersect(box.queries, some).size() * box.keys.size();
      if (!piece.hasBoxes)
        xfrt::addWork(xfrt::PieceNumbers(piece.numbers.data()), symbolsOf(sizes), {some.begin, some.end}, {}, anyGroups,
                      work);
    }
  return work.pairs;
}

SmallVector<plan::TokenSet> ExchangedKeys::queriesOfPieces() const {
  xfrt::KeyRun all = {sizes.keys - sizes.queries, sizes.keys};
  SmallVector<plan::TokenSet> queries;
  for (auto [piece, seen] : llvm::zip(pieces, seen)) {
    std::vector<plan::Interval> some;
    for (const plan::Box &box : piece.boxes)
      some.push_back(box.queries);
    for (int64_t residue = 0; seen && residue < seen->of().numbers().residues; ++residue) {
      const xfrt::Bands &bands = seen->of();
      bool isRegular = bands.areRegular(), isWhole = bands.numbers().queryMap.period == bands.numbers().queryMap.width;
      xfrt::KeyRun rows = isRegular ? bands.seeing(residue) : bands.rowsOf(residue, all);
      if (isRegular && isWhole && !rows.isEmpty()) {
        some.push_back({bands.positionOf(residue, rows.begin), bands.positionOf(residue, rows.end - 1) + 1});
        continue;
      }
      for (int64_t row = rows.begin; row < rows.end; ++row)
        if (int64_t query = bands.positionOf(residue, row); isRegular || !bands.seenBy(residue, row).isEmpty())
          some.push_back({query, query + 1});
    }
    queries.push_back(plan::unite(std::move(some)));
  }
  return queries;
}
