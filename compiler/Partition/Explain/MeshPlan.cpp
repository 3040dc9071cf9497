//===- MeshPlan.cpp - What a mesh makes of attentions ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Explain/MeshPlan.h"
#include "runtime/lib/plan/Integers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::xf;

namespace plan = xfrt::plan;

/// Times of plans are integers in this unit, in seconds.
static constexpr double unit = 1e-15;

StringRef xf::nameOf(Collective collective) {
  static constexpr StringLiteral names[] = {"none", "neighbours", "all-gather", "all-to-all", "relays", "direct"};
  return names[int(collective)];
}

StringRef xf::nameOf(plan::Limit limit) {
  static constexpr StringLiteral names[] = {"flops", "node-bytes", "bytes", "message"};
  return names[int(limit)];
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

/// Returns the sizes of a head group on one rank of the axes of batch and heads. A batch counts as heads.
static plan::Shape shapeOf(const AttentionSizes &sizes, const AlikeHeads &group, const Mesh &mesh) {
  int64_t batches = llvm::divideCeil(sizes.batches, mesh.data);
  int64_t heads = llvm::divideCeil(group.heads, mesh.tensor), keyHeads = llvm::divideCeil(group.keyHeads, mesh.tensor);
  if (heads % keyHeads != 0)
    keyHeads = heads; // no more than that
  return {std::max<int64_t>(1, batches * heads),
          std::max<int64_t>(1, batches * keyHeads),
          sizes.width,
          sizes.valueWidth,
          sizes.bytes,
          sizes.sumBytes};
}

/// Returns the operations of a pair of one head: two products forward, and five backward, of which three are over D.
static double operationsOf(const AttentionSizes &sizes) {
  return 8.0 * double(sizes.width) + 6.0 * double(sizes.valueWidth);
}

static plan::Machine machineOf(const RankMachine &machine, const Mesh &mesh, double operations) {
  auto toUnits = [](double seconds) { return std::llround(std::min(seconds / unit, 0x1p60)); }; // plans refuse more
  auto timeOf = [&](double rate, double amount) { return rate > 0 ? toUnits(amount / rate) : 0; };
  plan::Machine result;
  result.pairTime = timeOf(machine.flops, operations);
  result.byteTime = timeOf(machine.bytes, 1);
  result.nodeByteTime = timeOf(machine.nodeBytes, 1);
  result.messageTime = toUnits(machine.messageTime);
  result.ranksPerNode = int32_t(std::max<int64_t>(1, machine.ranksPerNode / mesh.stride));
  return result;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {
/// What one rank needs of tokens that others own.
struct Need {
  int32_t rank, group; ///< group: of ranks that need the same tokens where all of them need all
  plan::TokenSet tokens;
};
} // namespace

/// Returns whether the ranks of each group need the same tokens, apart from those that they own.
static bool isGather(ArrayRef<Need> needs, const plan::Placement &placement) {
  std::map<int32_t, plan::TokenSet> wanted;
  std::map<int32_t, int> members;
  for (const Need &need : needs) {
    plan::TokenSet &all = wanted[need.group];
    all = plan::unite(all, need.tokens);
    ++members[need.group];
  }
  return llvm::all_of(needs, [&](const Need &need) {
    // Of two ranks one sends to the other whatever they need: both have to receive.
    bool isOneSided = need.tokens.empty() && members[need.group] == 2;
    return !isOneSided && need.tokens == plan::subtract(wanted[need.group], placement.tokensOf(need.rank));
  });
}

/// Returns whether ranks need tokens of ranks close to them alone.
static bool isBand(ArrayRef<Need> needs, const plan::Placement &placement) {
  int32_t widest = std::max(1, placement.ranks / 4);
  return !placement.isDealt && llvm::all_of(needs, [&](const Need &need) {
    return llvm::all_of(placement.ownersOf(need.tokens),
                        [&](int32_t owner) { return std::abs(owner - need.rank) <= widest; });
  });
}

static Collective classify(ArrayRef<Need> needs, const plan::Placement &placement, plan::Mode mode, bool relays) {
  if (llvm::all_of(needs, [](const Need &need) { return need.tokens.empty(); }))
    return Collective::None;
  if (mode.kind != plan::Mode::Kind::Grid)
    return Collective::AllToAll;
  if (isGather(needs, placement))
    return Collective::AllGather;
  if (isBand(needs, placement))
    return Collective::Neighbours;
  return relays ? Collective::Relays : Collective::Direct;
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

namespace {
/// A plan of an entry's attentions, each with a number of consecutive head groups in it.
class PlannedMesh {
public:
  PlannedMesh(ArrayRef<MeshAttention> attentions, const Mesh &mesh, const RankMachine &machine)
      : attentions(attentions), mesh(mesh), machine(machine) {}

  LogicalResult make(std::string &error);
  /// Returns whether the time of an attention does not fit its integer.
  bool isTooLong();
  MeshFigures figuresOf(size_t attention);

private:
  struct Sent {
    double bytes = 0, pairs = 0;
  };

  Sent countRank(ArrayRef<size_t> groups, int32_t rank);
  void addPieces(size_t group, size_t number, MeshFigures &figures);
  void addTimes(ArrayRef<size_t> groups, MeshFigures &figures) const;
  SmallVector<int32_t> ranksOf(int32_t most) const;
  double boundOf(size_t group) const;
  double occupancyOf(const MeshAttention &attention) const;

  ArrayRef<MeshAttention> attentions;
  Mesh mesh;
  RankMachine machine;
  plan::Problem problem;
  plan::Planner planner;
  SmallVector<size_t> firstGroup;
};
} // namespace

LogicalResult PlannedMesh::make(std::string &error) {
  const AttentionSizes &sizes = attentions.front().sizes;
  problem.tokens = sizes.keys;
  problem.ranks = int32_t(mesh.sequence);
  problem.machine = machineOf(machine, mesh, operationsOf(sizes));
  for (const MeshAttention &attention : attentions) {
    firstGroup.push_back(problem.attentions.size());
    for (const AlikeHeads &group : attention.groups)
      problem.attentions.push_back({group.pieces, group.symbols, attention.sizes.queries,
                                    shapeOf(attention.sizes, group, mesh), attention.count});
  }
  return success(planner.make(problem, error));
}

/// Returns all ranks, or `most` that are spread over them.
SmallVector<int32_t> PlannedMesh::ranksOf(int32_t most) const {
  SmallVector<int32_t> ranks;
  int32_t count = std::min(problem.ranks, most);
  for (int32_t k = 0; k < count; ++k)
    ranks.push_back(count == problem.ranks ? k : int32_t(int64_t(k) * (problem.ranks - 1) / (count - 1)));
  return ranks;
}

PlannedMesh::Sent PlannedMesh::countRank(ArrayRef<size_t> groups, int32_t rank) {
  Sent sent;
  for (size_t group : groups) {
    plan::RankCounts counts = planner.count(group, planner.findRank(group, rank));
    sent.bytes += double(counts.bytesSent);
    sent.pairs += double(counts.pairs);
  }
  return sent;
}

void PlannedMesh::addPieces(size_t group, size_t number, MeshFigures &figures) {
  const plan::Placement &placement = planner.plan().placement;
  const std::vector<plan::Mode> &modes = planner.plan().modes[group];
  constexpr int32_t mostRanks = 1024;
  std::vector<SmallVector<Need>> keys(modes.size()), queries(modes.size());
  for (int32_t rank : ranksOf(mostRanks)) {
    plan::TokenSet own = placement.tokensOf(rank);
    std::vector<plan::Share> shares = planner.findShares(group, rank);
    for (auto [p, mode] : llvm::enumerate(modes)) {
      int32_t columns = mode.kind == plan::Mode::Kind::Grid ? problem.ranks / mode.rows : 1;
      keys[p].push_back({rank, rank % columns, plan::subtract(shares[p].keys, own)});
      queries[p].push_back({rank, rank / columns, plan::subtract(shares[p].queries, own)});
    }
  }
  bool relays = planner.plan().relays[group];
  for (auto [p, mode] : llvm::enumerate(modes))
    figures.pieces.push_back(
        {number, mode, classify(keys[p], placement, mode, relays), classify(queries[p], placement, mode, relays)});
}

/// Returns the bytes that some rank receives whatever the placement and the modes. A rank that computes its share in z
/// heads, with x queries and y keys at hand, computes x y z pairs at most; x and y are best where their bytes are the
/// same.
double PlannedMesh::boundOf(size_t group) const {
  const plan::Attention &attention = problem.attentions[group];
  const plan::Shape &shape = attention.shape;
  double pairs = double(planner.countPairs(group)), tokens = double(problem.tokens);
  double own = tokens / problem.ranks, heads = double(shape.heads), perKeyHead = heads / double(shape.keyHeads);
  if (pairs == 0)
    return 0;
  double least = std::numeric_limits<double>::infinity();
  for (double z = std::ceil(heads / problem.ranks); z <= heads; z = std::max(z + 1, std::floor(z * 1.01))) {
    double share = pairs * heads / problem.ranks / z; // of one head
    double key = std::ceil(z / perKeyHead) * double(shape.keyOut() + shape.keyBack());
    double query = z * double(shape.queryOut() + shape.queryBack());
    double fewest = std::max(own, share / tokens); // queries, as there are no more keys than tokens
    double x = std::clamp(std::sqrt(share * key / query), fewest, std::max(fewest, std::min(tokens, share / own)));
    least = std::min(least, std::max(0.0, (x - own) * query) + std::max(0.0, (share / x - own) * key));
  }
  return least;
}

/// Returns the share of the ranks' batch entries and heads that there are: less than 1 where an axis does not divide
/// them.
double PlannedMesh::occupancyOf(const MeshAttention &attention) const {
  double here = 0, all = 0;
  for (const AlikeHeads &group : attention.groups) {
    here += double(shapeOf(attention.sizes, group, mesh).heads);
    all += double(group.heads);
  }
  double there = all * double(attention.sizes.batches);
  return there > 0 ? there / (here * double(mesh.data * mesh.tensor)) : 1;
}

/// What limits layers that follow each other is what limits the sum of their times; their wire is that of the layer
/// with most of it.
void PlannedMesh::addTimes(ArrayRef<size_t> groups, MeshFigures &figures) const {
  plan::Price sum;
  int64_t longest = -1;
  for (size_t group : groups) {
    const plan::Price &price = planner.plan().prices[group];
    figures.compute += double(price.compute) * unit;
    figures.wire += double(price.wire) * unit;
    figures.messages += double(price.messages) * unit;
    figures.total += double(price.total) * unit;
    sum.compute = plan::addSaturated(sum.compute, price.compute);
    sum.wire = plan::addSaturated(sum.wire, price.wire);
    sum.messages = plan::addSaturated(sum.messages, price.messages);
    if (price.wire > longest)
      sum.isBetweenNodes = price.isBetweenNodes;
    longest = std::max(longest, price.wire);
  }
  figures.limit = plan::findLimit(sum);
}

bool PlannedMesh::isTooLong() {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return llvm::any_of(planner.plan().prices, [](const plan::Price &price) {
    return std::max({price.compute, price.wire, price.messages, price.total}) == most;
  });
}

MeshFigures PlannedMesh::figuresOf(size_t number) {
  const MeshAttention &attention = attentions[number];
  constexpr int32_t mostRanks = 64;
  MeshFigures figures;
  figures.isDealt = planner.plan().placement.isDealt;
  figures.chunks = planner.plan().placement.chunksPerRank;
  SmallVector<size_t> groups;
  double pairs = 0;
  if (attention.sizes.batches == 0 || attention.sizes.heads == 0) { // plans have one head at least
    for (size_t k = 0; k < attention.groups.size(); ++k)
      for (const plan::Mode &mode : planner.plan().modes[firstGroup[number] + k])
        figures.pieces.push_back({k, mode, Collective::None, Collective::None});
    return figures;
  }
  for (size_t k = 0; k < attention.groups.size(); ++k) {
    size_t group = firstGroup[number] + k;
    groups.push_back(group);
    addPieces(group, k, figures);
    pairs += double(planner.countPairs(group)) * double(problem.attentions[group].shape.heads);
    figures.boundBytes += boundOf(group);
  }
  Sent busiest;
  double most = 0;
  SmallVector<int32_t> ranks = ranksOf(mostRanks);
  for (int32_t rank : ranks) {
    Sent sent = countRank(groups, rank);
    most = std::max(most, sent.pairs);
    if (sent.bytes > busiest.bytes)
      busiest = sent;
  }
  plan::Shape shape = shapeOf(attention.sizes, {{}, {}, attention.sizes.heads, attention.sizes.keyHeads}, mesh);
  figures.gatherBytes = double(problem.tokens - problem.tokens / problem.ranks) *
                        double(shape.keyHeads * (shape.keyOut() + shape.keyBack()));
  double occupancy = occupancyOf(attention), mean = pairs / problem.ranks;
  figures.ranksCounted = int64_t(ranks.size());
  figures.bytesSent = busiest.bytes;
  figures.balance = mean > 0 ? most / mean / occupancy : 1;
  addTimes(groups, figures);
  double ideal = mean * double(problem.machine.pairTime) * unit;
  figures.idealShare = figures.total > 0 ? ideal / figures.total * occupancy : 1;
  return figures;
}

FailureOr<std::vector<MeshFigures>> xf::planMesh(ArrayRef<MeshAttention> attentions, const Mesh &mesh,
                                                 const RankMachine &machine, std::string &error) {
  PlannedMesh planned(attentions, mesh, machine);
  if (failed(planned.make(error)))
    return failure();
  if (planned.isTooLong()) {
    error = llvm::formatv("expected an attention that takes less than {0:f0} s of a rank, forward and backward: fewer "
                          "tokens, more ranks or a faster machine",
                          double(std::numeric_limits<int64_t>::max()) * unit);
    return failure();
  }
  std::vector<MeshFigures> figures;
  for (size_t number = 0; number < attentions.size(); ++number)
    figures.push_back(planned.figuresOf(number));
  return figures;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

MeshFigures xf::planStates(const MeshAttention &attention, const Mesh &mesh, const RankMachine &machine) {
  const AttentionSizes &sizes = attention.sizes;
  const plan::StateScan scan = attention.states->scan, back = plan::transposeScan(scan);
  const auto ranks = int32_t(mesh.sequence);
  const int64_t batches = llvm::divideCeil(sizes.batches, mesh.data);
  const int64_t keyHeads = batches * llvm::divideCeil(sizes.keyHeads, mesh.tensor);
  const int64_t heads = batches * llvm::divideCeil(sizes.heads, mesh.tensor);
  const double stateNumbers = double(attention.states->features) * double(sizes.valueWidth + 1);
  MeshFigures figures;
  figures.ranksCounted = ranks;
  figures.stateBytes = keyHeads * attention.states->features * (sizes.valueWidth + 1) * sizes.sumBytes;
  figures.stateSteps = plan::countLevels(scan, ranks) + plan::countLevels(back, ranks);
  int64_t most = 0;
  for (int32_t rank = 0; rank < ranks; ++rank)
    most = std::max(most, plan::countStatesSent(scan, rank, ranks) + plan::countStatesSent(back, rank, ranks));
  figures.bytesSent = double(most) * double(figures.stateBytes);
  const double token = double(keyHeads * (sizes.width + sizes.valueWidth)) * double(sizes.bytes + sizes.sumBytes);
  figures.gatherBytes = double(sizes.keys - sizes.keys / ranks) * token;
  // A key is added to its state and a query multiplied with it; backward as much for each of their gradients.
  const double tokenTime = double(heads) * 12 * stateNumbers / machine.flops;
  const double mean = double(sizes.keys) / ranks, longest = double(llvm::divideCeil(sizes.keys, ranks));
  const double there = double(sizes.batches * sizes.heads), here = double(heads * mesh.data * mesh.tensor);
  const double occupancy = here > 0 ? there / here : 1;
  const bool isBetweenNodes = mesh.sequence * mesh.stride > machine.ranksPerNode;
  const double rate = isBetweenNodes ? machine.bytes : machine.nodeBytes;
  figures.balance = mean > 0 ? longest / mean / occupancy : 1;
  figures.compute = longest * tokenTime;
  figures.wire = rate > 0 ? double(figures.stateSteps) * double(figures.stateBytes) / rate : 0;
  figures.messages = double(figures.stateSteps) * machine.messageTime;
  figures.total =
      std::max(figures.compute, figures.wire) + std::min(figures.compute, figures.wire) / 8 + figures.messages;
  figures.idealShare = figures.total > 0 ? mean * tokenTime / figures.total * occupancy : 1;
  auto toUnits = [](double seconds) { return int64_t(std::min(seconds / unit, 0x1p62)); };
  figures.limit =
      plan::findLimit({toUnits(figures.compute), toUnits(figures.wire), toUnits(figures.messages), 0, isBetweenNodes});
  return figures;
}
