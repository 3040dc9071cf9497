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
/// Of so many runs of tokens what a rank needs is found by itself, of more with all that it needs.
static constexpr size_t fewRuns = 8;

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

/// The ranks of a grid that compute with some tokens, as keys or as queries, are among those in these rows and columns.
Planner::Crossing Planner::findCrossing(const PieceMode &which, const TokenSet &tokens, bool areKeys) const {
  const Relation &relation = relations[which.attention][which.piece];
  int32_t columns = placement.ranks / which.mode.rows;
  Part all = relation.all();
  TokenSet seen = areKeys ? relation.findQueries(tokens, all.queries, all.residues)
                          : relation.findKeys(intersect(tokens, {all.queries}), all.keys, all.residues);
  return {placement.rowsOf(areKeys ? seen : tokens, columns), placement.columnsOf(areKeys ? tokens : seen, columns)};
}

/// Finds which runs of `tokens` each rank of a grid may compute with; of many meetings, which ranks do.
void Planner::findRunsOfGrid(const PieceMode &which, const TokenSet &tokens, bool areKeys,
                             std::vector<Candidate> &candidates) const {
  int32_t columns = placement.ranks / which.mode.rows;
  int64_t residues = relations[which.attention][which.piece].residues();
  int64_t left = int64_t(fewRuns) * placement.ranks;
  if (multiplySaturated(int64_t(tokens.size()), residues) > mostInverses) {
    for (Candidate &candidate : candidates)
      candidate.mayNeedAll = true;
    return;
  }
  for (const Interval &run : tokens) {
    Crossing crossing = findCrossing(which, {run}, areKeys);
    left -= int64_t(crossing.rows.size() * crossing.columns.size());
    if (left < 0)
      break;
    for (int32_t row : crossing.rows)
      for (int32_t column : crossing.columns)
        candidates[row * columns + column].runs.push_back({which.piece, run});
  }
  if (left >= 0)
    return;
  Crossing crossing = findCrossing(which, tokens, areKeys);
  for (int32_t row : crossing.rows)
    for (int32_t column : crossing.columns)
      candidates[row * columns + column].mayNeedAll = true;
}

/// Finds which runs of `tokens` each rank may compute with, by one piece.
void Planner::findRuns(const PieceMode &which, const TokenSet &tokens, bool areKeys,
                       std::vector<Candidate> &candidates) const {
  if (which.mode.kind == Mode::Kind::Grid)
    return findRunsOfGrid(which, tokens, areKeys, candidates);
  const Relation &relation = relations[which.attention][which.piece];
  for (const Interval &run : tokens)
    for (const Interval &residues : relation.residuesOf(run, areKeys))
      for (int64_t r = residues.begin, last = -1; r < residues.end; ++r) {
        int64_t owner = r * placement.ranks / relation.residues();
        if (owner != last)
          candidates[owner].runs.push_back({which.piece, run});
        last = owner;
      }
}

/// Who else computes with some of the tokens that `rank` has, and with which of them.
std::vector<Planner::Asker> Planner::findAskers(size_t attention, int32_t rank, const TokenSet &tokens, bool areKeys) {
  std::vector<Candidate> candidates(placement.ranks);
  for (size_t p = 0; p < relations[attention].size(); ++p)
    findRuns({attention, p, best.modes[attention][p]}, tokens, areKeys, candidates);
  std::vector<Asker> askers;
  for (int32_t partner = 0; partner < placement.ranks; ++partner) {
    const Candidate &candidate = candidates[partner];
    if (partner == rank || (!candidate.mayNeedAll && candidate.runs.empty()))
      continue;
    TokenSet needed;
    if (candidate.mayNeedAll || candidate.runs.size() > fewRuns || knownNeeds.count({attention, partner}) > 0) {
      needed = intersect(tokens, neededOf(attention, partner, areKeys));
    } else {
      for (const auto &[piece, run] : candidate.runs)
        needed = unite(
            needed, findNeeds(relations[attention][piece], best.modes[attention][piece], sides, partner, areKeys, run));
      needed = subtract(needed, placement.tokensOf(partner));
    }
    if (!needed.empty())
      askers.push_back({partner, std::move(needed)});
  }
  return askers;
}

/// What a rank has to say about tokens of its own and, where they are passed on, received: found once for decideRelays.
const std::vector<Planner::Asker> &Planner::askers(size_t attention, int32_t rank, bool ofKeys, bool withReceived) {
  auto [found, isNew] = knownAskers.try_emplace({attention, rank, ofKeys, withReceived});
  if (isNew) {
    TokenSet tokens = placement.tokensOf(rank);
    if (withReceived)
      tokens = unite(tokens, neededOf(attention, rank, ofKeys));
    found->second = findAskers(attention, rank, tokens, ofKeys);
  }
  return found->second;
}

const TokenSet &Planner::neededOf(size_t attention, int32_t rank, bool ofKeys) {
  const Needs &all = needs(attention, rank);
  return ofKeys ? all.keys : all.queries;
}

namespace {
/// Tokens that are taken, one after the other.
class Claims {
public:
  /// Takes those of some tokens that are not taken, and returns them.
  TokenSet take(const TokenSet &tokens) {
    TokenSet free;
    for (const Interval &interval : tokens) {
      int64_t begin = interval.begin;
      auto next = taken.upper_bound(begin);
      if (next != taken.begin() && std::prev(next)->second > begin)
        begin = std::prev(next)->second;
      for (; begin < interval.end; ++next) {
        int64_t end = next == taken.end() ? interval.end : std::min(interval.end, next->first);
        if (begin < end) {
          free.push_back({begin, end});
          taken.emplace_hint(next, begin, end);
        }
        if (next == taken.end() || next->first >= interval.end)
          break;
        begin = next->second;
      }
    }
    return unite(std::move(free));
  }

private:
  std::map<int64_t, int64_t> taken; // from begin to end, apart
};
} // namespace

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
  const TokenSet &needed = neededOf(attention, rank, ofKeys);
  std::vector<int32_t> owners = placement.ownersOf(needed);
  auto owned = [&](int32_t owner) { return intersect(placement.tokensOf(owner), needed); };
  if (!best.relays[attention]) {
    for (int32_t owner : owners)
      addTransfers(attention, ofKeys, owner, rank, owned(owner), plan);
    return;
  }
  std::map<int32_t, TokenSet> offers; // by the distance back to who has them
  auto offer = [&](int32_t partner, const TokenSet &tokens) {
    TokenSet &all = offers[int32_t(floorRemainder(rank - partner, placement.ranks))];
    all = unite(all, tokens);
  };
  for (int32_t owner : owners)
    offer(owner, owned(owner));
  for (const Asker &asker : askers(attention, rank, ofKeys, true))
    offer(asker.rank, intersect(asker.tokens, needed));
  Claims claims;
  for (const auto &[distance, tokens] : offers)
    if (TokenSet got = claims.take(tokens); !got.empty())
      addTransfers(attention, ofKeys, int32_t(floorRemainder(rank - distance, placement.ranks)), rank, got, plan);
}

/// What `rank` sends: what it owns to everyone who needs it, or with what it received to the next one who does. The
/// chain of a token ends before its owner.
std::vector<Planner::Asker> Planner::findPassed(size_t attention, int32_t rank, bool ofKeys, bool relays) {
  auto distanceTo = [&](int32_t other) { return floorRemainder(other - rank, placement.ranks); };
  std::vector<const Asker *> nearest;
  for (const Asker &asker : askers(attention, rank, ofKeys, relays))
    nearest.push_back(&asker);
  std::sort(nearest.begin(), nearest.end(),
            [&](const Asker *a, const Asker *b) { return distanceTo(a->rank) < distanceTo(b->rank); });
  std::vector<int32_t> owners; // of what is passed on
  TokenSet received;
  if (relays) {
    received = neededOf(attention, rank, ofKeys);
    owners = placement.ownersOf(received);
    std::sort(owners.begin(), owners.end(), [&](int32_t a, int32_t b) { return distanceTo(a) < distanceTo(b); });
  }
  auto owner = owners.begin();
  Claims claims;
  std::vector<Asker> passedOn;
  for (const Asker *asker : nearest) {
    if (!relays) {
      passedOn.push_back(*asker);
      continue;
    }
    for (; owner != owners.end() && distanceTo(*owner) <= distanceTo(asker->rank); ++owner)
      claims.take(intersect(placement.tokensOf(*owner), received));
    if (TokenSet passed = claims.take(asker->tokens); !passed.empty())
      passedOn.push_back({asker->rank, std::move(passed)});
  }
  return passedOn;
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

/// The bytes that a rank sends, out and back. `least`: at least, if others pass on what they can.
int64_t Planner::countSent(size_t attention, int32_t rank, bool relays, int64_t *least) {
  const Shape &shape = problem.attentions[attention].shape;
  int64_t sent = 0, atLeast = 0;
  for (bool ofKeys : {true, false}) {
    int64_t out = ofKeys ? shape.keyHeads * shape.keyOut() : shape.heads * shape.queryOut();
    int64_t back = ofKeys ? shape.keyHeads * shape.keyBack() : shape.heads * shape.queryBack();
    int64_t returned = countTokens(neededOf(attention, rank, ofKeys)) * back;
    std::vector<Interval> once;
    sent += returned;
    for (const Asker &next : findPassed(attention, rank, ofKeys, relays)) {
      sent += countTokens(next.tokens) * out;
      once.insert(once.end(), next.tokens.begin(), next.tokens.end());
    }
    atLeast += returned + countTokens(unite(std::move(once))) * out;
  }
  if (least)
    *least = atLeast;
  return sent;
}

/// Compares what the busiest rank sends; of many ranks, of three. Who passes on what is found where it may matter: a
/// rank sends what others want of its own once at least.
void Planner::decideRelays(size_t attention) {
  const std::vector<Mode> &modes = best.modes[attention];
  if (modes.empty() || modes.front().kind == Mode::Kind::Heads)
    return;
  std::vector<int32_t> ranks = {0, placement.ranks / 2, placement.ranks - 1};
  if (placement.ranks <= mostRanksCompared) {
    ranks.resize(placement.ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  int64_t busiest = 0;
  std::vector<std::pair<int64_t, int32_t>> bounds; // what a rank sends at least
  for (int32_t rank : ranks) {
    bounds.push_back({0, rank});
    busiest = std::max(busiest, countSent(attention, rank, false, &bounds.back().first));
  }
  std::sort(bounds.begin(), bounds.end(), std::greater<>());
  best.relays[attention] = std::all_of(bounds.begin(), bounds.end(), [&](const std::pair<int64_t, int32_t> &bound) {
    return bound.first < busiest && countSent(attention, bound.second, true, nullptr) < busiest;
  });
}

std::vector<Share> Planner::findShares(size_t attention, int32_t rank) {
  const std::vector<Mode> &modes = best.modes[attention];
  std::vector<Share> shares;
  for (size_t p = 0; p < modes.size(); ++p)
    shares.push_back(needsOfPiece({attention, p, modes[p]}, rank));
  return shares;
}

RankPlan Planner::findRank(size_t attention, int32_t rank) {
  const Shape &shape = problem.attentions[attention].shape;
  const std::vector<Mode> &modes = best.modes[attention];
  RankPlan plan;
  bool isByHeads = !modes.empty() && modes.front().kind == Mode::Kind::Heads;
  plan.heads = isByHeads ? shareOf(shape.heads, rank, placement.ranks) : Interval{0, shape.heads};
  plan.keyHeads = keyHeadsOf(shape, plan.heads);
  for (size_t p = 0; p < modes.size(); ++p)
    plan.shares.push_back(plan.heads.size() > 0 ? share({attention, p, modes[p]}, rank) : Share{0, {}, {}});
  if (isByHeads) {
    exchangeHeads(attention, rank, plan);
  } else if (!modes.empty()) {
    for (bool ofKeys : {true, false}) {
      findReceived(attention, rank, ofKeys, plan);
      for (const Asker &next : findPassed(attention, rank, ofKeys, best.relays[attention]))
        addTransfers(attention, ofKeys, next.rank, next.rank, next.tokens, plan);
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
