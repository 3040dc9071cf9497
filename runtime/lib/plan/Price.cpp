//===- Price.cpp - What a plan costs --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "Plan.h"

#include <algorithm>
#include <bit>

using namespace xfrt::plan;

Limit xfrt::plan::findLimit(const Price &price) {
  if (price.compute >= std::max(price.wire, price.messages))
    return Limit::Compute;
  if (price.messages > price.wire)
    return Limit::Messages;
  return price.isBetweenNodes ? Limit::WireBetweenNodes : Limit::WireWithinNode;
}

Price Planner::sum(int64_t compute, int64_t nearWire, int64_t farWire, int64_t messages) const {
  int64_t wire = std::max(nearWire, farWire);
  Price price = {compute, wire, messages, 0, farWire > nearWire};
  // What overlaps leaves the first and the last eighth of the shorter one, before there is something to do.
  price.total = problem.machine.overlaps ? addSaturated(std::max(compute, wire), std::min(compute, wire) / 8)
                                         : addSaturated(compute, wire);
  price.total = addSaturated(price.total, messages);
  return price;
}

/// The messages of trees of eight children over all ranks.
static int32_t countOfTrees(int32_t ranks) { return 8 * std::max(1, int(std::bit_width(uint32_t(ranks - 1)))); }

/// Forward and backward, out and back: four messages for each partner, or trees where that is less.
static int64_t priceMessages(int64_t partners, int32_t ranks, int64_t messageTime) {
  return multiplySaturated(4 * std::min<int64_t>(partners, countOfTrees(ranks)), messageTime);
}

Price Planner::price(size_t attention, const std::vector<Mode> &modes, int64_t most) {
  std::vector<PieceMode> pieces;
  for (size_t p = 0; p < modes.size(); ++p)
    pieces.push_back({attention, p, modes[p]});
  return pricePieces(pieces, most);
}

/// Adds what a rank receives of pieces.
void Planner::addWires(std::span<const PieceMode> pieces, int32_t rank, Wires &wires) {
  const Shape &shape = problem.attentions[pieces.front().attention].shape;
  const Machine &machine = problem.machine;
  int64_t key = shape.keyHeads * (shape.keyOut() + shape.keyBack());
  int64_t query = shape.heads * (shape.queryOut() + shape.queryBack());
  Needs needs = needsOf(pieces, rank);
  int32_t first = rank / machine.ranksPerNode * machine.ranksPerNode;
  TokenSet node = placement.tokensOf(first, 1, std::min(machine.ranksPerNode, placement.ranks - first));
  auto bytesOf = [&](const TokenSet &keys, const TokenSet &queries) {
    return addSaturated(multiplySaturated(countTokens(keys), key), multiplySaturated(countTokens(queries), query));
  };
  int64_t near = bytesOf(intersect(needs.keys, node), intersect(needs.queries, node));
  int64_t far = bytesOf(needs.keys, needs.queries) - near;
  wires.far = std::max(wires.far, multiplySaturated(far, machine.byteTime));
  wires.near = std::max(wires.near, multiplySaturated(near, machine.nodeByteTime));
  TokenSet all = unite(needs.keys, needs.queries);
  wires.partners = std::max<int64_t>(wires.partners, placement.countOwners(all, countOfTrees(placement.ranks)));
}

/// The busiest rank computes no less than the mean; pairs of ranks are counted where that alone is not too much.
Price Planner::pricePieces(std::span<const PieceMode> pieces, int64_t most) {
  if (pieces.empty())
    return {};
  size_t attention = pieces.front().attention;
  int64_t pairs = 0;
  for (const PieceMode &piece : pieces)
    pairs += pairsOf[attention][piece.piece];
  int64_t compute = idealTime(attention, pairs);
  Wires wires;
  auto price = [&] {
    int64_t messages = priceMessages(wires.partners, placement.ranks, problem.machine.messageTime);
    return sum(compute, wires.near, wires.far, messages);
  };
  for (int32_t rank : sample) {
    addWires(pieces, rank, wires);
    if (price().total >= most)
      return price();
  }
  std::vector<int64_t> load(placement.ranks);
  for (const PieceMode &piece : pieces) {
    const std::vector<int64_t> &more = loads(piece);
    for (int32_t r = 0; r < placement.ranks; ++r)
      load[r] += more[r];
  }
  auto busiest = std::max_element(load.begin(), load.end());
  int64_t heads = problem.attentions[attention].shape.heads;
  int64_t longest = multiplySaturated(multiplySaturated(*busiest, heads), problem.machine.pairTime);
  compute = std::max(compute, longest);
  if (price().total < most)
    addWires(pieces, int32_t(busiest - load.begin()), wires);
  return price();
}

Price Planner::priceHeads(size_t attention) {
  const Shape &shape = problem.attentions[attention].shape;
  const Machine &machine = problem.machine;
  int32_t ranks = placement.ranks;
  // Rank 0 has at least as many heads as any other.
  Interval heads = shareOf(shape.heads, 0, ranks), keyHeads = keyHeadsOf(shape, heads);
  int64_t own = countTokens(placement.tokensOf(0));
  int64_t node = countTokens(placement.tokensOf(0, 1, std::min(machine.ranksPerNode, ranks)));
  int64_t bytes =
      keyHeads.size() * (shape.keyOut() + shape.keyBack()) + heads.size() * (shape.queryOut() + shape.queryBack());
  int64_t farWire = multiplySaturated(multiplySaturated(placement.tokens() - node, bytes), machine.byteTime);
  int64_t nearWire = multiplySaturated(multiplySaturated(node - own, bytes), machine.nodeByteTime);
  int64_t compute = multiplySaturated(multiplySaturated(countPairs(attention), heads.size()), machine.pairTime);
  return sum(compute, nearWire, farWire, priceMessages(ranks - 1, ranks, machine.messageTime));
}
