//===- Transfers.cpp - Which tokens travel from whom to whom --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Plan.h"

#include <algorithm>

using namespace xfrt::plan;

/// The inverse of so many intervals of so many residues is not asked for: every rank may need them.
static constexpr int64_t mostInverses = 1 << 12;
/// Of so many ranks all are looked at to decide on relays.
static constexpr int32_t mostRanksCompared = 64;

const Planner::Needs &Planner::needs(size_t attention, int32_t rank) {
  auto [found, isNew] = knownNeeds.try_emplace({attention, rank});
  if (isNew) {
    std::vector<PieceMode> pieces;
    for (size_t p = 0; p < best.modes[attention].size(); ++p)
      pieces.push_back({attention, p, best.modes[attention][p]});
    found->second = needsOf(pieces, rank);
  }
  return found->second;
}

/// Ranks that may compute with some of `tokens`, as keys or as queries; all that do are among them.
std::vector<int32_t> Planner::findCandidates(size_t attention, const TokenSet &tokens, bool areKeys) const {
  int32_t ranks = placement.ranks;
  std::vector<bool> isCandidate(ranks);
  std::vector<int32_t> owners = placement.ownersOf(tokens);
  for (size_t p = 0; p < relations[attention].size(); ++p) {
    const Relation &relation = relations[attention][p];
    Mode mode = best.modes[attention][p];
    if (mode.kind != Mode::Kind::Grid ||
        multiplySaturated(int64_t(tokens.size()), relation.residues()) > mostInverses) {
      isCandidate.assign(ranks, true);
      break;
    }
    std::vector<Interval> seen;
    for (const Interval &interval : tokens) {
      Part part = relation.all();
      (areKeys ? part.keys : part.queries) = intersect(areKeys ? part.keys : part.queries, interval);
      if (areKeys)
        relation.addQueries(part, seen);
      else
        relation.addKeys(part, seen);
    }
    int32_t columns = ranks / mode.rows;
    std::vector<bool> hasRow(mode.rows), hasColumn(columns);
    for (int32_t owner : placement.ownersOf(unite(std::move(seen))))
      areKeys ? hasRow[owner / columns] = true : hasColumn[owner % columns] = true;
    for (int32_t owner : owners)
      areKeys ? hasColumn[owner % columns] = true : hasRow[owner / columns] = true;
    for (int32_t r = 0; r < ranks; ++r)
      isCandidate[r] = isCandidate[r] || (hasRow[r / columns] && hasColumn[r % columns]);
  }
  std::vector<int32_t> candidates;
  for (int32_t r = 0; r < ranks; ++r)
    if (isCandidate[r])
      candidates.push_back(r);
  return candidates;
}

const TokenSet &Planner::neededOf(size_t attention, int32_t rank, bool ofKeys) {
  const Needs &all = needs(attention, rank);
  return ofKeys ? all.keys : all.queries;
}

/// Adds what goes to or comes from `partner`, a transfer for each stage. The stage of a token follows from its owner
/// and its receiver, so that both sides know it: ranks further away come later.
void Planner::addStages(std::vector<Transfer> &transfers, int32_t partner, int32_t receiver, Interval heads,
                        const TokenSet &tokens, int64_t bytes) const {
  int64_t bytesOfRank = multiplySaturated(longestRank, bytes * heads.size());
  int64_t ranksOfStage = std::max<int64_t>(1, problem.stageBytes / std::max<int64_t>(1, bytesOfRank));
  if (ranksOfStage >= placement.ranks) {
    transfers.push_back({partner, 0, heads, tokens});
    return;
  }
  auto stageOf = [&](int32_t owner) {
    return int32_t((floorRemainder(receiver - owner, placement.ranks) - 1) / ranksOfStage);
  };
  std::vector<int32_t> owners = placement.ownersOf(tokens);
  if (owners.size() == 1) {
    transfers.push_back({partner, stageOf(owners.front()), heads, tokens});
    return;
  }
  std::map<int32_t, TokenSet> stages;
  for (int32_t owner : owners) {
    TokenSet &stage = stages[stageOf(owner)];
    stage = unite(stage, intersect(tokens, placement.tokensOf(owner)));
  }
  for (auto &[stage, set] : stages)
    transfers.push_back({partner, stage, heads, std::move(set)});
}

/// Adds a transfer of all heads, that this rank receives or sends.
void Planner::addTransfers(size_t attention, bool ofKeys, int32_t partner, int32_t receiver, const TokenSet &tokens,
                           RankPlan &plan) const {
  const Shape &shape = problem.attentions[attention].shape;
  bool isReceived = partner != receiver;
  if (ofKeys)
    addStages(isReceived ? plan.keysReceived : plan.keysSent, partner, receiver, plan.keyHeads, tokens, shape.keyOut());
  else
    addStages(isReceived ? plan.queriesReceived : plan.queriesSent, partner, receiver, plan.heads, tokens,
              shape.queryOut());
}

/// Finds what `rank` receives, from the owners or from who has it last before the rank.
void Planner::findReceived(size_t attention, int32_t rank, bool ofKeys, RankPlan &plan) {
  TokenSet left = neededOf(attention, rank, ofKeys);
  auto receive = [&](int32_t partner, const TokenSet &theirs) {
    TokenSet got = intersect(left, theirs);
    if (got.empty())
      return;
    left = subtract(left, got);
    addTransfers(attention, ofKeys, partner, rank, got, plan);
  };
  if (!best.relays[attention]) {
    for (int32_t owner : placement.ownersOf(left))
      receive(owner, placement.tokensOf(owner));
    return;
  }
  for (int32_t distance = 1; distance < placement.ranks && !left.empty(); ++distance) {
    int32_t partner = int32_t(floorRemainder(rank - distance, placement.ranks));
    receive(partner, unite(neededOf(attention, partner, ofKeys), placement.tokensOf(partner)));
  }
}

/// Finds what `rank` sends: what it owns to everyone who needs it, or with what it received to the next one who does.
/// The chain of a token ends before its owner.
void Planner::findSent(size_t attention, int32_t rank, bool ofKeys, RankPlan &plan) {
  int32_t ranks = placement.ranks;
  auto distanceTo = [&](int32_t other) { return floorRemainder(other - rank, ranks); };
  auto isNearer = [&](int32_t a, int32_t b) { return distanceTo(a) < distanceTo(b); };
  bool relays = best.relays[attention];
  TokenSet left = placement.tokensOf(rank);
  std::vector<int32_t> owners; // of what is passed on
  if (relays) {
    const TokenSet &received = neededOf(attention, rank, ofKeys);
    owners = placement.ownersOf(received);
    left = unite(left, received);
  }
  std::vector<int32_t> candidates = findCandidates(attention, left, ofKeys);
  std::sort(owners.begin(), owners.end(), isNearer);
  std::sort(candidates.begin(), candidates.end(), isNearer);
  auto owner = owners.begin();
  for (int32_t partner : candidates) {
    if (partner == rank)
      continue;
    for (; owner != owners.end() && distanceTo(*owner) <= distanceTo(partner); ++owner)
      left = subtract(left, placement.tokensOf(*owner));
    TokenSet passed = intersect(left, neededOf(attention, partner, ofKeys));
    if (passed.empty())
      continue;
    if (relays)
      left = subtract(left, passed);
    addTransfers(attention, ofKeys, partner, partner, passed, plan);
  }
}

/// Every rank gets its heads of all tokens.
void Planner::exchangeHeads(size_t attention, int32_t rank, RankPlan &plan) const {
  const Attention &of = problem.attentions[attention];
  TokenSet allQueries = unite({{problem.tokens - of.queries, problem.tokens}});
  auto add = [&](std::vector<Transfer> &transfers, int32_t partner, int32_t receiver, Interval heads, TokenSet tokens,
                 int64_t bytes) {
    if (!tokens.empty() && heads.size() > 0)
      addStages(transfers, partner, receiver, heads, tokens, bytes);
  };
  TokenSet own = placement.tokensOf(rank);
  for (int32_t distance = 1; distance < placement.ranks; ++distance) {
    int32_t before = int32_t(floorRemainder(rank - distance, placement.ranks));
    int32_t after = (rank + distance) % placement.ranks;
    TokenSet theirs = placement.tokensOf(before);
    Interval heads = shareOf(of.shape.heads, after, placement.ranks);
    add(plan.keysReceived, before, rank, plan.keyHeads, theirs, of.shape.keyOut());
    add(plan.queriesReceived, before, rank, plan.heads, intersect(theirs, allQueries), of.shape.queryOut());
    add(plan.keysSent, after, after, keyHeadsOf(of.shape, heads), own, of.shape.keyOut());
    add(plan.queriesSent, after, after, heads, intersect(own, allQueries), of.shape.queryOut());
  }
}

/// Compares what the busiest rank sends; of many ranks, of three.
void Planner::decideRelays(size_t attention) {
  std::vector<int32_t> ranks = {0, placement.ranks / 2, placement.ranks - 1};
  if (placement.ranks <= mostRanksCompared) {
    ranks.resize(placement.ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  int64_t busiest[2] = {0, 0};
  for (bool relays : {false, true}) {
    best.relays[attention] = relays;
    for (int32_t rank : ranks)
      busiest[relays] = std::max(busiest[relays], count(attention, findRank(attention, rank)).bytesSent);
  }
  best.relays[attention] = busiest[1] < busiest[0];
}

std::vector<Share> Planner::findShares(size_t attention, int32_t rank) {
  const std::vector<Mode> &modes = best.modes[attention];
  std::vector<Share> shares;
  for (size_t p = 0; p < modes.size(); ++p)
    shares.push_back(share({attention, p, modes[p]}, rank));
  return shares;
}

RankPlan Planner::findRank(size_t attention, int32_t rank) {
  const Shape &shape = problem.attentions[attention].shape;
  const std::vector<Mode> &modes = best.modes[attention];
  RankPlan plan;
  bool isByHeads = !modes.empty() && modes.front().kind == Mode::Kind::Heads;
  plan.heads = isByHeads ? shareOf(shape.heads, rank, placement.ranks) : Interval{0, shape.heads};
  plan.keyHeads = keyHeadsOf(shape, plan.heads);
  plan.shares = plan.heads.size() > 0 ? findShares(attention, rank) : std::vector<Share>(modes.size());
  if (isByHeads) {
    exchangeHeads(attention, rank, plan);
  } else if (!modes.empty()) {
    for (bool ofKeys : {true, false}) {
      findReceived(attention, rank, ofKeys, plan);
      findSent(attention, rank, ofKeys, plan);
    }
  }
  return plan;
}

RankCounts Planner::count(size_t attention, const RankPlan &plan) const {
  const Shape &shape = problem.attentions[attention].shape;
  RankCounts counts;
  for (const Share &share : plan.shares)
    counts.pairs += share.pairs * plan.heads.size();
  auto add = [&](const std::vector<Transfer> &transfers, int64_t out, int64_t back, int64_t &there, int64_t &here) {
    for (const Transfer &transfer : transfers) {
      int64_t tokens = countTokens(transfer.tokens) * transfer.heads.size();
      there += tokens * out;
      here += tokens * back;
    }
  };
  add(plan.keysSent, shape.keyOut(), shape.keyBack(), counts.bytesSent, counts.bytesReceived);
  add(plan.queriesSent, shape.queryOut(), shape.queryBack(), counts.bytesSent, counts.bytesReceived);
  add(plan.keysReceived, shape.keyOut(), shape.keyBack(), counts.bytesReceived, counts.bytesSent);
  add(plan.queriesReceived, shape.queryOut(), shape.queryBack(), counts.bytesReceived, counts.bytesSent);
  counts.messages = int64_t(plan.keysSent.size() + plan.queriesSent.size());
  return counts;
}
