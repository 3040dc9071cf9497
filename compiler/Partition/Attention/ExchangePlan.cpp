//===- ExchangePlan.cpp - Attention of which ranks share queries ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes plans of attention, and decides whether ranks share queries or heads. There is no plan for an attention
//
// - whose pairs depend on data of the call: tables, run-time symbols, blocks drawn at dynamic sizes, and segments,
//   unless all pairs must be in equal segments;
// - with captured tensors, because ranks would have summands of their gradients;
// - that is kernelised: its ranks send states instead (StateShare.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/Attention/ExchangedKeys.h"
#include "compiler/Partition/Attention/ExchangedQueries.h"
#include "compiler/Partition/Plan/PlanPieces.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ShareOps.h"
#include "compiler/Pattern/SegmentPieces.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOfOperand(Operation *attention, unsigned number) {
  return cast<RankedTensorType>(attention->getOperand(number).getType()).getShape();
}

template <typename OpTy>
static bool hasPlannedPairs(OpTy op) {
  return op.getParams().empty() && !op.getRelative() && !op.getTableColumns() && op.getSymbols().empty() &&
         op.getCaptures().empty();
}

bool xf::hasSegments(Operation *attention) {
  if (auto vjp = dyn_cast<AttentionVjpOp>(attention))
    return vjp.getSegmentsQ() != nullptr;
  return cast<AttentionOp>(attention).getSegmentsQ() != nullptr;
}

/// Adds the pairs of the predicate of `solution` to `pieces` as boxes, once for each head if heads draw different
/// pairs. Returns false if a number of queries, keys or heads is dynamic, or if the pairs have no boxes (toPlanPiece).
static bool addBoxes(std::vector<plan::Piece> &pieces, SolutionAttr solution, Operation *attention) {
  int64_t heads = shapeOfOperand(attention, 0)[1], queries = shapeOfOperand(attention, 0)[2];
  int64_t keys = shapeOfOperand(attention, 1)[2];
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys) || ShapedType::isDynamic(heads))
    return false;
  for (int64_t head = 0; head < (pattern::isPerHead(solution) ? heads : 1); ++head) {
    std::optional<plan::Piece> boxes = toPlanPiece(solution.getTiles(), {queries, keys, {}, head});
    if (!boxes)
      return false;
    pieces.push_back(std::move(*boxes));
  }
  return true;
}

std::optional<std::vector<plan::Piece>> xf::planPieces(Operation *attention) {
  auto isPlanned = [](Operation *op) {
    if (auto vjp = dyn_cast<AttentionVjpOp>(op))
      return hasPlannedPairs(vjp);
    return hasPlannedPairs(cast<AttentionOp>(op));
  };
  auto solutions = attention->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  if (!solutions || attention->hasAttr(kLinearAttrName) || !isPlanned(attention))
    return std::nullopt;
  std::vector<plan::Piece> pieces;
  llvm::SetVector<Attribute> different(solutions.begin(), solutions.end());
  for (Attribute attribute : different) {
    auto solution = cast<SolutionAttr>(attribute);
    if (hasSegments(attention)) // which are a condition of all pairs, or of none
      solution = solution.getTiles() && solution.getPieces().empty() ? pattern::solveAroundSegments(solution.getTiles())
                                                                     : SolutionAttr();
    if (!solution)
      return std::nullopt;
    for (PieceAttr piece : solution.getPieces()) {
      auto emitError = [&] { return attention->emitError(); };
      FailureOr<plan::Piece> numbers = toPlanPiece(piece, emitError);
      if (failed(numbers))
        return std::nullopt;
      pieces.push_back(std::move(*numbers));
    }
    if (solution.getTiles() && !addBoxes(pieces, solution, attention))
      return std::nullopt;
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Returns how many keys the rank that receives most gets from other ranks. Does not count keys that only queries in
/// `without` see. Returns nullopt if a size or a number is out of the range of plans.
static std::optional<int64_t> mostReceived(ArrayRef<plan::Piece> pieces, plan::Sizes sizes, int64_t ranks,
                                           const plan::TokenSet &without) {
  std::optional<ExchangedKeys> exchange = ExchangedKeys::make(pieces, sizes, ranks, /*chunks=*/1);
  if (!exchange)
    return std::nullopt;
  int64_t most = 0;
  for (int64_t rank = 0; rank < ranks; ++rank)
    most = std::max(most, plan::countTokens(plan::subtract(exchange->neededBy(rank, without), exchange->keysOf(rank))));
  return most;
}

/// Implements xf::exchangesKeys for `ranks` ranks, each of which has `chunks` chunks of the tokens.
static bool exchangesKeys(Operation *attention, int64_t ranks, int64_t chunks, bool dividesHeads) {
  constexpr int64_t nominalPart = 4096, mostKeys = 1 << 22; // of a rank, where sizes are dynamic
  ArrayRef<int64_t> q = shapeOfOperand(attention, 0), k = shapeOfOperand(attention, 1),
                    v = shapeOfOperand(attention, 2);
  bool keepsOrder = hasKeysOrder(attention); // whatever the number of ranks
  if (ranks < 2 && !keepsOrder)
    return false;
  std::optional<std::vector<plan::Piece>> pieces = planPieces(attention);
  if (!pieces)
    return false;
  auto isKnown = [](ArrayRef<int64_t> shape) {
    return !ShapedType::isDynamic(shape[1]) && !ShapedType::isDynamic(shape[3]);
  };
  bool isStatic = !ShapedType::isDynamic(q[2]) && !ShapedType::isDynamic(k[2]);
  int64_t queries = isStatic ? q[2] : nominalPart * ranks, keys = isStatic ? k[2] : nominalPart * ranks;
  if (queries > keys)
    return false;
  if (keepsOrder || chunks > 1 || !dividesHeads || !isKnown(q) || !isKnown(k) || !isKnown(v) || keys > mostKeys ||
      hasSegments(attention)) // of which nobody knows how long they are
    return true;
  plan::TokenSet passed = exchangedQueries(attention, ranks, chunks);
  for (plan::Interval &rows : passed)
    rows = {rows.begin + keys - queries, rows.end + keys - queries};
  std::optional<int64_t> received = mostReceived(*pieces, {queries, keys}, ranks, passed);
  if (!received)
    return true;
  // Elements that a rank receives: keys and values, and queries that travel or what others have for them; or its heads
  // of all tokens and its tokens of all heads.
  double keyWidth = double(k[1] * k[3] + v[1] * v[3]), queryWidth = double(q[1] * (q[3] + v[3]));
  double exchanged = double(*received) * keyWidth + double(plan::countTokens(passed) * (ranks - 1)) * queryWidth;
  double byHeads = (double(keys) * keyWidth + double(queries) * queryWidth) * double(ranks - 1) / double(ranks * ranks);
  return exchanged < byHeads;
}

bool xf::exchangesKeys(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads) {
  return tokens.axes == inMeshOrder(tokens.axes.getValue(), mesh) &&
         ::exchangesKeys(attention, ranksOf(mesh, tokens.axes), tokens.chunks, dividesHeads);
}

std::vector<int64_t> xf::exchangePlan(Operation *attention, int64_t chunks) {
  return plan::writeNumbers(*planPieces(attention), chunks);
}
