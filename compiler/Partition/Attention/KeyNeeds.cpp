//===- KeyNeeds.cpp - Keys that ranks need of each other ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/KeyNeeds.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using namespace mlir::xf;

namespace plan = xfrt::plan;

std::optional<KeyNeeds> KeyNeeds::make(ArrayRef<plan::Piece> pieces, plan::Sizes sizes, int64_t ranks, int64_t chunks) {
  KeyNeeds needs;
  needs.sizes = sizes;
  needs.ranks = ranks;
  needs.chunks = chunks;
  needs.relations.resize(pieces.size());
  std::string error;
  for (auto [relation, piece] : llvm::zip(needs.relations, pieces))
    if (!relation.make(piece, sizes, /*symbols=*/{}, error))
      return std::nullopt;
  return needs;
}

/// The tokens of a rank, of `count` that begin at `first`.
plan::TokenSet KeyNeeds::tokensOf(int64_t rank, int64_t count, int64_t first) const {
  int64_t length = count / (ranks * chunks);
  std::vector<plan::Interval> tokens;
  for (int64_t turn = 0; turn < chunks; ++turn) {
    int64_t begin = first + dealtChunk(turn, rank, ranks) * length;
    tokens.push_back({begin, begin + length});
  }
  return plan::unite(std::move(tokens));
}

plan::TokenSet KeyNeeds::neededBy(int64_t rank, const plan::TokenSet &without) const {
  std::vector<plan::Interval> keys;
  for (plan::Interval queries : plan::subtract(queriesOf(rank), without))
    for (const plan::Relation &relation : relations) {
      plan::Part part = relation.all();
      part.queries = queries;
      relation.addKeys(part, keys);
    }
  return plan::unite(std::move(keys));
}

int64_t KeyNeeds::countPairs(const plan::TokenSet &queries) const {
  int64_t pairs = 0;
  for (plan::Interval some : queries)
    for (const plan::Relation &relation : relations) {
      plan::Part part = relation.all();
      part.queries = some;
      pairs += relation.countPairs(part);
    }
  return pairs;
}

SmallVector<plan::TokenSet> KeyNeeds::queriesOfPieces() const {
  SmallVector<plan::TokenSet> queries;
  for (const plan::Relation &relation : relations) {
    std::vector<plan::Interval> some;
    relation.addQueries(relation.all(), some);
    queries.push_back(plan::unite(std::move(some)));
  }
  return queries;
}
