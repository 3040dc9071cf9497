//===- MeshFigures.cpp - What ranks send and compute ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/mesh/MeshFigures.h"
#include "compiler/Partition/Attention/ExchangedKeys.h"
#include "compiler/Partition/Plan/PlanPieces.h"
#include "compiler/tools/patterns/PatternText.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The groups of ranks that a collective along some axes connects.
struct Groups {
  Groups(MeshAttr mesh, ArrayAttr axes);

  int64_t memberOf(int64_t rank) const { return members[rank]; }
  /// Returns the rank that is member `member` of the group of `rank`.
  int64_t rankOf(int64_t rank, int64_t member) const { return rank + offsets[member] - offsets[members[rank]]; }
  int64_t size() const { return int64_t(offsets.size()); }

private:
  SmallVector<int64_t> offsets; ///< each member's rank, minus the rank of the first member
  SmallVector<int64_t> members; ///< the member that each rank is
};
} // namespace

Groups::Groups(MeshAttr mesh, ArrayAttr axes) : offsets{0}, members{0} {
  for (auto [axis, ranks] : llvm::zip(mesh.getAxes(), mesh.getSizes())) {
    bool isAlong = llvm::is_contained(axes, axis);
    for (int64_t &offset : offsets)
      offset *= ranks;
    SmallVector<int64_t> before = isAlong ? offsets : SmallVector<int64_t>(), all;
    if (isAlong)
      offsets.clear();
    for (int64_t offset : before)
      for (int64_t place = 0; place < ranks; ++place)
        offsets.push_back(offset + place);
    for (int64_t member : members)
      for (int64_t place = 0; place < ranks; ++place)
        all.push_back(isAlong ? member * ranks + place : member);
    members = std::move(all);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// For each pair of members of a group, returns the number of keys that one gets from the other. Element n * members +
/// k is the number that member n gets from member k. Returns an empty list if plans cannot hold the sizes.
static std::vector<int64_t> countExchangedKeys(ArrayRef<int64_t> plan, int64_t queries, int64_t keys, int64_t members) {
  std::optional<ExchangedKeys> exchange = ExchangedKeys::make(
      plan::readNumbers(plan), {queries * members, keys * members}, members, /*chunks=*/plan.front());
  if (!exchange)
    return {};
  std::vector<int64_t> counts;
  std::vector<plan::TokenSet> own;
  for (int64_t member = 0; member < members; ++member)
    own.push_back(exchange->keysOf(member));
  for (int64_t member = 0; member < members; ++member) {
    plan::TokenSet needed = exchange->neededBy(member);
    for (const plan::TokenSet &theirs : own)
      counts.push_back(plan::countTokens(plan::intersect(needed, theirs)));
  }
  return counts;
}

/// Returns the bytes of `buffer` divided by its size in dimension `dim`. If `dim` is -1, returns the bytes of the whole
/// buffer.
static int64_t bytesOf(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    bytes *= int64_t(d) == dim ? 1 : size;
  return bytes;
}

namespace {
/// What the members of a group send each other in one collective.
struct Messages {
  int64_t partBytes = 0;          ///< the bytes for each other member or, if keys are exchanged, for each key
  std::vector<int64_t> exchanged; ///< the result of countExchangedKeys, if keys are exchanged
  bool isReturned = false;        ///< gradients of keys are sent, the other way

  int64_t bytes(int64_t from, int64_t to, int64_t members) const {
    if (exchanged.empty())
      return partBytes;
    return partBytes * (isReturned ? exchanged[from * members + to] : exchanged[to * members + from]);
  }
};
} // namespace

/// Returns the messages of a collective among `members` members, or nullopt if data of the call determine them.
static std::optional<Messages> messagesOf(xft::CollectiveOp op, int64_t members) {
  Messages messages;
  bool isCut = op.splits(), travels = op.getKind() != xft::CollectiveKind::all_slice;
  messages.partBytes = travels ? bytesOf(op.getSend(), -1) / (isCut ? members : 1) : 0;
  if (!op.getPlan())
    return messages;
  APInt queries;
  if (op.getSegmentsQ() || !matchPattern(op.getQueries(), m_ConstantInt(&queries)))
    return std::nullopt;
  auto dim = int64_t(isCut ? op.getSplit() : op.getJoin());
  int64_t keys = cast<MemRefType>(op.getSend().getType()).getDimSize(dim) / (isCut ? members : 1);
  messages.exchanged = countExchangedKeys(*op.getPlan(), queries.getSExtValue(), keys, members);
  messages.partBytes = bytesOf(op.getSend(), dim);
  messages.isReturned = isCut;
  if (messages.exchanged.empty())
    return std::nullopt;
  return messages;
}

bool xf::addMessages(func::FuncOp host, MeshAttr mesh, int64_t ranksPerNode, std::vector<RankWork> &works) {
  for (auto op : host.getOps<xft::CollectiveOp>()) {
    Groups groups(mesh, op.getAxes());
    std::optional<Messages> messages = messagesOf(op, groups.size());
    if (!messages)
      return false;
    for (auto [rank, work] : llvm::enumerate(works))
      for (int64_t member = 0; member < groups.size(); ++member) {
        int64_t other = groups.rankOf(int64_t(rank), member);
        int64_t bytes = messages->bytes(groups.memberOf(int64_t(rank)), member, groups.size());
        if (other == int64_t(rank) || bytes == 0)
          continue;
        (other / ranksPerNode == int64_t(rank) / ranksPerNode ? work.nodeBytes : work.bytes) += bytes;
        ++work.messages;
      }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Returns the number of pairs of head `head` whose queries are in part `number` of `parts`. Returns nullopt if it is
/// unknown.
static std::optional<int64_t> countPairs(SolutionAttr solution, plan::Sizes part, int64_t number, int64_t parts,
                                         int64_t head, Operation *op) {
  plan::Sizes sizes = {part.queries * parts, part.keys};
  std::vector<plan::Piece> pieces;
  for (PieceAttr piece : solution.getPieces()) {
    FailureOr<plan::Piece> numbers = toPlanPiece(piece, [&] { return op->emitError(); });
    if (failed(numbers))
      return std::nullopt;
    pieces.push_back(std::move(*numbers));
  }
  if (TilesAttr tiles = solution.getTiles()) {
    std::optional<plan::Piece> boxes = toPlanPiece(tiles, {sizes.queries, sizes.keys, {}, head});
    if (!boxes)
      return std::nullopt;
    pieces.push_back(std::move(*boxes));
  }
  std::optional<ExchangedKeys> exchange = ExchangedKeys::make(pieces, sizes, /*ranks=*/1, /*chunks=*/1);
  int64_t first = sizes.keys - sizes.queries + number * part.queries;
  return exchange ? std::optional(exchange->countPairs({{first, first + part.queries}})) : std::nullopt;
}

/// Returns the mesh axes along which ranks share the queries of an attention. `part` is the attention's clause, or
/// null. Also returns two numbers for each member of such a group of ranks: the number of its part of the queries, and
/// the number of parts. An attention of all queries has no axes and one part.
static std::pair<ArrayAttr, SmallVector<int64_t>> partsOf(Value part, MLIRContext *context) {
  auto slice = part ? part.getDefiningOp<AllSliceOp>() : AllSliceOp();
  DenseIntElementsAttr numbers;
  if (!slice || !matchPattern(slice.getX(), m_Constant(&numbers)))
    return {ArrayAttr::get(context, {}), {0, 1}};
  return {slice.getAxes(), llvm::to_vector(numbers.getValues<int64_t>())};
}

template <typename OpTy>
static bool addFlops(OpTy op, MeshAttr mesh, std::vector<RankWork> &works) {
  auto q = cast<RankedTensorType>(op.getQ().getType()), k = cast<RankedTensorType>(op.getK().getType());
  int64_t width = q.getDimSize(3), valueWidth = cast<RankedTensorType>(op.getV().getType()).getDimSize(3);
  // Products over D and over Dv: q k and p v; again q k, then ds k and ds q, and p do and do v.
  bool isGradient = std::is_same_v<OpTy, AttentionVjpOp>;
  int64_t flopsOfPair = (isGradient ? 6 : 2) * width + (isGradient ? 4 : 2) * valueWidth;
  llvm::MapVector<std::pair<Attribute, int64_t>, int64_t> heads; // of each solution, and of each draw
  SmallVector<SolutionAttr> solutions = solutionsOf(op);
  for (int64_t head = 0; !solutions.empty() && head < q.getDimSize(1); ++head) {
    SolutionAttr solution = solutions[head % solutions.size()];
    ++heads[{solution, pattern::isPerHead(solution) ? head : 0}];
  }
  auto [axes, parts] = partsOf(op.getPart(), op.getContext());
  Groups groups(mesh, axes);
  SmallVector<double> flops(groups.size());
  for (auto [which, count] : heads)
    for (int64_t member = 0; member < groups.size(); ++member) {
      std::optional<int64_t> pairs = countPairs(cast<SolutionAttr>(which.first), {q.getDimSize(2), k.getDimSize(2)},
                                                parts[2 * member], parts[2 * member + 1], which.second, op);
      if (!pairs)
        return false;
      flops[member] += double(*pairs) * double(count * q.getDimSize(0) * flopsOfPair);
    }
  for (auto [rank, work] : llvm::enumerate(works))
    work.flops += flops[groups.memberOf(int64_t(rank))];
  return !solutions.empty();
}

bool xf::addFlops(func::FuncOp share, MeshAttr mesh, std::vector<RankWork> &works) {
  bool areKnown = true;
  share.walk([&](AttentionOp op) { areKnown &= ::addFlops(op, mesh, works); });
  share.walk([&](AttentionVjpOp op) { areKnown &= ::addFlops(op, mesh, works); });
  return areKnown;
}
