//===- Plan.h - Who has, computes and sends what ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan says, for a program's attentions over the ranks of a mesh's axis,
//
// - which rank has which tokens (one placement for all attentions),
// - which rank computes which pairs of each piece (a mode for each piece),
// - which tokens travel from whom to whom, in which stage,
//
// and what that costs by the numbers of a machine. It is a function of the problem alone: integers decide, nothing is
// measured, and no container is walked in an order that differs between runs. So every rank makes the same plan by
// itself, and ranks compare hashes instead of plans.
//
// Tokens come from their owners, or are relayed where that leaves the busiest rank less to send: those who need a
// token, from its owner on in the order of ranks (after the last comes rank 0), are a chain, and each passes on what it
// received. So no rank sends more than it receives and owns, and partial results come back along the chain, in one
// order. Nothing is sent that no pair uses: needs are exact.
//
// A rank's transfers are found from the needs of those ranks alone that may use its tokens (the inverse of the bounds).
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_PLAN_H
#define XFRT_LIB_PLAN_PLAN_H

#include "Problem.h"
#include "Share.h"

#include <map>
#include <tuple>

namespace xfrt::plan {

/// A predicted time of forward and backward, in the unit of the machine's numbers; the largest integer where it would
/// be larger.
struct Price {
  int64_t compute = 0; // of the busiest rank
  int64_t wire = 0;    // of the busiest rank
  int64_t messages = 0;
  int64_t total = 0;
  bool isBetweenNodes = false; // whether `wire` is the time of bytes between nodes, rather than within one

  bool operator==(const Price &) const = default;
};

/// Which number of the machine limits what a price is of: the largest part of it. Where that is the wire between nodes,
/// an axis of fewer ranks, within a node, and others across may be faster.
enum class Limit : uint8_t { Compute, WireWithinNode, WireBetweenNodes, Messages };
Limit findLimit(const Price &price);

/// What is decided, the same on every rank.
struct Plan {
  Placement placement;
  std::vector<std::vector<Mode>> modes; // of each piece of each attention
  std::vector<Price> prices;            // of one layer of each attention
  std::vector<bool> relays;             // of each attention: whether who received a token passes it on
  int64_t total = 0;                    // of all layers
  uint64_t hash = 0;                    // of the problem and of all this
};

/// Tokens that go from one rank to another, of the heads [heads.begin, heads.end) (of queries or of keys).
struct Transfer {
  int32_t partner = 0;
  int32_t stage = 0;
  Interval heads;
  TokenSet tokens;

  bool operator==(const Transfer &) const = default;
};

/// One rank's part of one attention. Transfers are of owners to workers; what comes back (partial results, gradients)
/// goes the same ways in the other direction, added up by who passes it on.
struct RankPlan {
  std::vector<Share> shares; // of each piece
  Interval heads, keyHeads;  // what the shares are of
  std::vector<Transfer> keysReceived, keysSent, queriesReceived, queriesSent;
};

/// What a rank computes and what it sends, forward and backward.
struct RankCounts {
  int64_t pairs = 0; // of one head each
  int64_t bytesSent = 0;
  int64_t bytesReceived = 0;
  int64_t messages = 0; // of owners to workers, sent
};

/// Makes a plan, and each rank's part of it. An object is for one thread at a time.
class Planner {
public:
  Planner() = default;
  Planner(const Planner &) = delete; // what is known refers to relations
  Planner(Planner &&) = default;
  Planner &operator=(Planner &&) = default;

  /// Returns false, and describes the failure in `error`, where a number of the problem is out of its range.
  bool make(const Problem &problem, std::string &error);

  const Plan &plan() const { return best; }
  RankPlan findRank(size_t attention, int32_t rank);
  /// The shares of a rank's part alone: what it computes with, of each piece; pairs are not counted.
  std::vector<Share> findShares(size_t attention, int32_t rank);
  RankCounts count(size_t attention, const RankPlan &plan) const;
  /// All pairs of an attention, of one head.
  int64_t countPairs(size_t attention) const;

private:
  /// The tokens that a rank computes with and does not own.
  struct Needs {
    TokenSet keys, queries;
  };
  struct PieceMode {
    size_t attention, piece;
    Mode mode;
    auto operator<=>(const PieceMode &other) const = default;
  };

  void start(const Placement &placement);
  std::vector<int64_t> weighChunks(int64_t chunks);
  std::vector<Mode> modesOf(const Relation &relation) const;
  const Share &needsOfPiece(const PieceMode &which, int32_t rank);
  const Share &share(const PieceMode &which, int32_t rank);
  const std::vector<int64_t> &loads(const PieceMode &which);
  Needs needsOf(std::span<const PieceMode> pieces, int32_t rank);
  /// Prices only grow with the ranks that are looked at: those that reach `most` are not finished.
  Price price(size_t attention, const std::vector<Mode> &modes, int64_t most);
  Price pricePieces(std::span<const PieceMode> pieces, int64_t most);
  /// The times of what the busiest of some ranks receives, and from how many ranks.
  struct Wires {
    int64_t near = 0, far = 0, partners = 0;
  };
  void addWires(std::span<const PieceMode> pieces, int32_t rank, Wires &wires);
  Price priceHeads(size_t attention);
  Price sum(int64_t compute, int64_t nearWire, int64_t farWire, int64_t messages) const;
  void decideAttention(size_t attention, std::vector<Mode> &modes, Price &price);
  void decide(const Placement &placement);
  int64_t idealTime(size_t attention, int64_t pairs) const;
  bool isBalanced() const;
  uint64_t hashPlan() const;

  const Needs &needs(size_t attention, int32_t rank);
  /// Tokens that another rank computes with.
  struct Asker {
    int32_t rank;
    TokenSet tokens;
  };
  /// What a rank may compute with, of the tokens of another one.
  struct Candidate {
    std::vector<std::pair<size_t, Interval>> runs; // by a piece
    bool mayNeedAll = false;                       // too many to tell them apart
  };
  /// Rows and columns of a grid of ranks.
  struct Crossing {
    std::vector<int32_t> rows, columns;
  };
  Crossing findCrossing(const PieceMode &which, const TokenSet &tokens, bool areKeys) const;
  void findRunsOfGrid(const PieceMode &which, const TokenSet &tokens, bool areKeys,
                      std::vector<Candidate> &candidates) const;
  void findRuns(const PieceMode &which, const TokenSet &tokens, bool areKeys, std::vector<Candidate> &candidates) const;
  std::vector<Asker> findAskers(size_t attention, int32_t rank, const TokenSet &tokens, bool areKeys);
  const std::vector<Asker> &askers(size_t attention, int32_t rank, bool ofKeys, bool withReceived);
  const TokenSet &neededOf(size_t attention, int32_t rank, bool ofKeys);
  void addStages(std::vector<Transfer> &transfers, int32_t partner, int32_t receiver, Interval heads,
                 const TokenSet &tokens, int64_t bytes) const;
  void addTransfers(size_t attention, bool ofKeys, int32_t partner, int32_t receiver, const TokenSet &tokens,
                    RankPlan &plan) const;
  void findReceived(size_t attention, int32_t rank, bool ofKeys, RankPlan &plan);
  std::vector<Asker> findPassed(size_t attention, int32_t rank, bool ofKeys, bool relays);
  int64_t countSent(size_t attention, int32_t rank, bool relays, int64_t *least);
  void decideRelays(size_t attention);
  void exchangeHeads(size_t attention, int32_t rank, RankPlan &plan) const;

  Problem problem;
  Plan best;
  std::vector<std::vector<Relation>> relations;
  std::vector<std::vector<int64_t>> pairsOf;                   // of all ranks
  std::map<const Relation *, std::vector<int64_t>> chunkPairs; // of the queries of the finest chunks, where it is known
  // Of the placement that is looked at, or of the plan.
  Placement placement;
  Sides sides;
  std::vector<int32_t> sample;  // ranks that are priced
  std::vector<int32_t> counted; // ranks whose pairs are counted, where that is much
  int64_t longestRank = 0;      // tokens that a rank has at most
  std::map<PieceMode, std::vector<int64_t>> knownLoads;
  std::map<std::pair<PieceMode, int32_t>, Share> knownShares;
  std::map<std::pair<size_t, int32_t>, Needs> knownNeeds;
  std::map<std::tuple<size_t, int32_t, bool, bool>, std::vector<Asker>> knownAskers;
};

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_PLAN_H
