//===- Planner.cpp - Deciding placement and modes -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Plan.h"

#include <algorithm>

using namespace xfrt::plan;

/// Of more ranks than these a few are priced, besides the one with most pairs.
static constexpr int32_t mostSampled = 16;
static constexpr int32_t fewSampled = 5;
/// Of more ranks than these the pairs of so many are counted, where counting is much.
static constexpr int32_t mostCounted = 32;
/// A plan that takes at most this much more than its share of the pairs, as a part of it, is good enough to stop
/// looking.
static constexpr int64_t goodEnough = 64;
/// Of more ranks than these a few shapes of grids are tried.
static constexpr int32_t mostRanksOfAllGrids = 64;
static constexpr int64_t endless = std::numeric_limits<int64_t>::max();

bool Planner::make(const Problem &problem, std::string &error) {
  this->problem = problem;
  best = {};
  relations.clear();
  pairsOf.clear();
  chunkPairs.clear();
  if (!checkProblem(problem, error))
    return false;
  for (size_t a = 0; a < problem.attentions.size(); ++a) {
    const Attention &attention = problem.attentions[a];
    relations.emplace_back(attention.pieces.size());
    pairsOf.emplace_back();
    for (size_t p = 0; p < attention.pieces.size(); ++p) {
      if (!relations[a][p].make(attention.pieces[p], {attention.queries, problem.tokens}, attention.symbols, error)) {
        error = "attention " + std::to_string(a) + ", piece " + std::to_string(p) + ": " + error;
        return false;
      }
      pairsOf[a].push_back(relations[a][p].countPairs(relations[a][p].all()));
    }
  }
  best.total = -1;
  decide(placeInOrder(problem.tokens, problem.ranks, problem.granule));
  constexpr int64_t mostTurns = 8, leastGranules = 4; // of a rank, and in a chunk
  int64_t finest = mostTurns;
  while (finest > 1 && problem.tokens / problem.granule < leastGranules * finest * problem.ranks)
    finest /= 2;
  if (finest > 1 && !isBalanced()) {
    std::vector<int64_t> fine = weighChunks(finest * problem.ranks);
    for (int64_t turns = 2; turns <= finest && !isBalanced(); turns *= 2) {
      int64_t chunks = turns * problem.ranks, parts = finest / turns;
      std::vector<int64_t> weights(chunks); // chunks of one cut are whole chunks of a finer one
      for (int64_t c = 0; c < chunks * parts; ++c)
        weights[c / parts] = addSaturated(weights[c / parts], fine[c]);
      decide(dealChunks(problem.tokens, problem.ranks, problem.granule, weights));
    }
  }
  start(best.placement);
  best.relays.assign(relations.size(), false);
  for (size_t a = 0; a < relations.size(); ++a)
    decideRelays(a);
  best.hash = hashPlan();
  return true;
}

/// The time of a piece's pairs, or of all of an attention's, spread over all ranks.
int64_t Planner::idealTime(size_t attention, int64_t pairs) const {
  int64_t heads = problem.attentions[attention].shape.heads;
  return multiplySaturated(multiplySaturated(pairs, heads) / problem.ranks, problem.machine.pairTime);
}

/// Whether no rank has more to compute than others, so that dealing chunks has nothing to gain. Heads are balanced
/// whatever the chunks, and often the way out of chunks that are not.
bool Planner::isBalanced() const {
  for (size_t a = 0; a < relations.size(); ++a) {
    int64_t ideal = idealTime(a, countPairs(a));
    bool isByHeads = !best.modes[a].empty() && best.modes[a].front().kind == Mode::Kind::Heads;
    if (isByHeads || best.prices[a].compute - ideal > ideal / goodEnough)
      return false;
  }
  return true;
}

std::vector<int64_t> Planner::weighChunks(int64_t chunks) {
  std::vector<int64_t> bounds = cutTokens(problem.tokens, chunks, problem.granule), weights(chunks);
  for (size_t a = 0; a < relations.size(); ++a) {
    int64_t factor = problem.attentions[a].shape.heads * problem.attentions[a].count;
    for (const Relation &relation : relations[a]) {
      const std::vector<int64_t> &counts = chunkPairs[&relation] = relation.countByQueries(bounds);
      for (int64_t c = 0; c < chunks; ++c)
        weights[c] = addSaturated(weights[c], multiplySaturated(factor, counts[c]));
    }
  }
  return weights;
}

/// Forgets what was known of another placement.
void Planner::start(const Placement &placement) {
  this->placement = placement;
  sides.start(placement);
  knownLoads.clear();
  knownShares.clear();
  knownNeeds.clear();
  knownAskers.clear();
  auto spread = [&](int32_t most, int32_t few) {
    std::vector<int32_t> ranks;
    int32_t count = placement.ranks <= most ? placement.ranks : few;
    for (int32_t k = 0; k < count; ++k)
      ranks.push_back(count == placement.ranks ? k : int32_t(int64_t(k) * (placement.ranks - 1) / (count - 1)));
    return ranks;
  };
  sample = spread(mostSampled, fewSampled);
  counted = spread(mostCounted, mostCounted);
  longestRank = 0;
  for (size_t c = 0; c + 1 < placement.bounds.size(); ++c)
    longestRank = std::max(longestRank, placement.bounds[c + 1] - placement.bounds[c]);
  longestRank *= placement.chunksPerRank;
}

std::vector<Mode> Planner::modesOf(const Relation &relation) const {
  int32_t ranks = placement.ranks;
  std::vector<Mode> modes;
  int32_t square = 1; // the divisor next to the root of the ranks
  for (int32_t rows = 1; rows <= ranks / rows; ++rows)
    if (ranks % rows == 0)
      square = rows;
  for (int32_t columns = 1; columns <= ranks; ++columns) {
    bool isFew = columns == 1 || columns == 2 || columns == 4 || columns == square || columns == ranks;
    if (ranks % columns == 0 && (isFew || ranks <= mostRanksOfAllGrids))
      modes.push_back({Mode::Kind::Grid, ranks / columns});
  }
  if (relation.residues() > 1 && ranks > 1)
    modes.push_back({Mode::Kind::Residues, 0});
  return modes;
}

/// Needs alone are priced: pairs are counted where they are asked for.
const Share &Planner::needsOfPiece(const PieceMode &which, int32_t rank) {
  auto [found, isNew] = knownShares.try_emplace({which, rank});
  if (isNew)
    found->second = makeShare(relations[which.attention][which.piece], which.mode, sides, rank);
  return found->second;
}

const Share &Planner::share(const PieceMode &which, int32_t rank) {
  needsOfPiece(which, rank);
  Share &share = knownShares[{which, rank}];
  if (!share.isCounted)
    share.pairs = countShare(relations[which.attention][which.piece], which.mode, sides, rank);
  share.isCounted = true;
  return share;
}

const std::vector<int64_t> &Planner::loads(const PieceMode &which) {
  auto [found, isNew] = knownLoads.try_emplace(which);
  if (!isNew)
    return found->second;
  const Relation &relation = relations[which.attention][which.piece];
  auto counts = chunkPairs.find(&relation);
  if (which.mode != Mode{Mode::Kind::Grid, placement.ranks} || !placement.isDealt || counts == chunkPairs.end())
    return found->second = countLoads(relation, which.mode, sides, counted);
  found->second.resize(placement.ranks); // queries stay, and so do the counts of their chunks
  for (size_t c = 0, parts = counts->second.size() / placement.owners.size(); c < counts->second.size(); ++c)
    found->second[placement.owners[c / parts]] += counts->second[c];
  return found->second;
}

Planner::Needs Planner::needsOf(std::span<const PieceMode> pieces, int32_t rank) {
  Needs needs;
  for (const PieceMode &piece : pieces) {
    const Share &share = needsOfPiece(piece, rank);
    needs.keys = unite(needs.keys, share.keys);
    needs.queries = unite(needs.queries, share.queries);
  }
  TokenSet own = placement.tokensOf(rank);
  return {subtract(needs.keys, own), subtract(needs.queries, own)};
}

void Planner::decideAttention(size_t attention, std::vector<Mode> &modes, Price &price) {
  size_t pieces = relations[attention].size();
  Mode stays = {Mode::Kind::Grid, placement.ranks}; // queries stay
  std::vector<std::vector<Mode>> candidates(1, std::vector<Mode>(pieces, stays));
  std::vector<Mode> chosen = candidates.front();
  for (size_t p = 0; p < pieces; ++p) { // each piece as if it were alone
    int64_t least = -1;
    const Relation &relation = relations[attention][p];
    int64_t ideal = idealTime(attention, pairsOf[attention][p]);
    for (Mode mode : modesOf(relation)) {
      PieceMode piece = {attention, p, mode};
      Price price = pricePieces({&piece, 1}, least < 0 ? endless : least);
      int64_t cost = addSaturated(price.total, price.wire / 1024);
      if (least < 0 || cost < least) {
        least = cost;
        chosen[p] = mode;
      }
      if (mode.kind == Mode::Kind::Grid)
        candidates.emplace_back(pieces, mode);
      if (mode == stays && price.total - ideal <= ideal / goodEnough)
        break;
    }
  }
  candidates.insert(candidates.begin(), chosen);
  for (size_t p = 0; p < pieces; ++p) {
    candidates.push_back(chosen);
    candidates.back()[p] = stays;
  }
  if (placement.ranks > 1)
    candidates.emplace_back(pieces, Mode{Mode::Kind::Heads, 0});
  std::sort(candidates.begin() + 1, candidates.end());
  candidates.erase(std::unique(candidates.begin() + 1, candidates.end()), candidates.end());
  price.total = -1;
  for (const std::vector<Mode> &candidate : candidates) {
    bool isByHeads = !candidate.empty() && candidate.front().kind == Mode::Kind::Heads;
    Price next =
        isByHeads ? priceHeads(attention) : this->price(attention, candidate, price.total < 0 ? endless : price.total);
    if (price.total < 0 || next.total < price.total) {
      price = next;
      modes = candidate;
    }
  }
}

void Planner::decide(const Placement &placement) {
  start(placement);
  Plan plan;
  plan.placement = placement;
  for (size_t a = 0; a < relations.size(); ++a) {
    Price price;
    decideAttention(a, plan.modes.emplace_back(), price);
    plan.prices.push_back(price);
    plan.total = addSaturated(plan.total, multiplySaturated(price.total, problem.attentions[a].count));
  }
  if (best.total < 0 || plan.total < best.total)
    best = std::move(plan);
}

int64_t Planner::countPairs(size_t attention) const {
  return std::accumulate(pairsOf[attention].begin(), pairsOf[attention].end(), int64_t(0));
}
