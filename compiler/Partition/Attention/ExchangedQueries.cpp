//===- ExchangedQueries.cpp - Queries that go to their keys ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/ExchangedQueries.h"
#include "compiler/Partition/Attention/AttentionDims.h"
#include "compiler/Partition/Attention/ExchangedKeys.h"
#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/Plan/PlanPieces.h"
#include "compiler/Pattern/ChangePairs.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/IR/XfSizes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::xf;

static RankedTensorType typeOfOperand(Operation *attention, unsigned number) {
  return cast<RankedTensorType>(attention->getOperand(number).getType());
}

//===----------------------------------------------------------------------===//
// Which attention
//===----------------------------------------------------------------------===//

/// Returns whether a score region reads the position of the query or of the key.
static bool asksForPositions(Region &region) {
  constexpr unsigned query = 3, key = 4;
  return !region.empty() && (!region.getArgument(query).use_empty() || !region.getArgument(key).use_empty());
}

template <typename OpTy>
static bool canComputeAnywhere(OpTy op) {
  return !op.getLengths() && !op.getQueryLengths() && !op.getSegmentsQ() && !op.getDropout() && !op.getPart() &&
         !asksForPositions(op.getScore());
}

/// Returns whether other ranks may compute queries of an attention. No pair may depend on the positions of its query
/// and key, and all sizes except that of the batch must be static.
static bool canExchange(Operation *attention) {
  auto isStatic = [](Type type) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    return shape.empty() || !ShapedType::isDynamicShape(shape.drop_front());
  };
  if (hasKeysOrder(attention) || !llvm::all_of(attention->getOperandTypes(), isStatic))
    return false;
  if (typeOfOperand(attention, 0).isDynamicDim(0) &&
      !SymbolicSizes(attention->getParentOfType<FunctionOpInterface>()).of(attention->getOperand(0)))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(attention).Case<AttentionOp, AttentionVjpOp>(
      [](auto op) { return canComputeAnywhere(op); });
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {
/// Numbers of bytes that ranks send for one key or one query of one batch entry, in the forward and the backward pass
/// together.
struct RowBytes {
  int64_t keySent, keyReturned;     ///< a key with its value, and the gradients of both
  int64_t querySent, queryReturned; ///< q, o and d_o, and the o and d_q that another rank returns
  int64_t divisor;                  ///< a log-sum-exp, in f64
};
} // namespace

static RowBytes rowBytes(Operation *attention) {
  RankedTensorType q = typeOfOperand(attention, 0), k = typeOfOperand(attention, 1), v = typeOfOperand(attention, 2);
  int64_t bytes = q.getElementTypeBitWidth() / 8;
  int64_t sumBytes = accumulatorType(q.getElementType()).getIntOrFloatBitWidth() / 8;
  int64_t heads = q.getDimSize(1), width = q.getDimSize(3), valueWidth = v.getDimSize(3);
  int64_t keyElements = k.getDimSize(1) * width + v.getDimSize(1) * valueWidth;
  RowBytes row;
  row.keySent = keyElements * bytes;
  row.keyReturned = keyElements * sumBytes;
  row.divisor = heads * int64_t(sizeof(double));
  row.querySent = heads * (width + 2 * valueWidth) * bytes;    // q, o and d_o
  row.queryReturned = heads * (width + valueWidth) * sumBytes; // o and d_q
  return row;
}

/// Returns how many bytes the rank that sends most has to send, if the queries at the positions `exchanged` are sent to
/// the ranks of their keys.
static int64_t mostSent(ExchangedKeys &exchange, int64_t ranks, const RowBytes &row, const plan::TokenSet &exchanged) {
  SmallVector<int64_t> sent(ranks);
  int64_t rows = plan::countTokens(exchanged);
  for (int64_t rank = 0; rank < ranks; ++rank) {
    plan::TokenSet needed = plan::subtract(exchange.neededBy(rank, exchanged), exchange.keysOf(rank));
    for (int64_t owner = 0; owner < ranks && !needed.empty(); ++owner)
      sent[owner] += plan::countTokens(plan::intersect(needed, exchange.keysOf(owner))) * row.keySent;
    int64_t own = plan::countTokens(plan::intersect(exchanged, exchange.queriesOf(rank)));
    sent[rank] += plan::countTokens(needed) * row.keyReturned + (rows - own) * row.queryReturned +
                  (ranks - 1) * (own * row.querySent + rows * row.divisor);
  }
  return *llvm::max_element(sent);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Returns the pieces of one solution. Leaves out pairs that each head draws for itself, because random draws do not
/// give a query all keys. Fails if a plan cannot hold a piece.
static FailureOr<std::vector<plan::Piece>> piecesOf(SolutionAttr solution, Operation *attention, plan::Sizes sizes) {
  std::vector<plan::Piece> pieces;
  for (PieceAttr piece : solution.getPieces()) {
    FailureOr<plan::Piece> numbers = toPlanPiece(piece, [&] { return attention->emitError(); });
    if (failed(numbers))
      return failure();
    pieces.push_back(std::move(*numbers));
  }
  if (!solution.getTiles() || pattern::isPerHead(solution))
    return pieces;
  std::optional<plan::Piece> boxes = toPlanPiece(solution.getTiles(), {sizes.queries, sizes.keys, {}, 0});
  if (!boxes)
    return failure();
  pieces.push_back(std::move(*boxes));
  return pieces;
}

/// Cuts the queries at the ends of all boxes, and adds each range between neighbouring ends to `queries`. All queries
/// of a range see the same keys. Adds nothing if there are more than 4096 boxes.
static void addQueriesOfBoxes(ArrayRef<plan::Box> boxes, SmallVectorImpl<plan::TokenSet> &queries) {
  constexpr size_t mostBoxes = 4096; // each of whose ends is looked at
  if (boxes.size() > mostBoxes)
    return;
  SmallVector<int64_t> ends;
  for (const plan::Box &box : boxes)
    ends.append({box.queries.begin, box.queries.end});
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  for (auto [begin, end] : llvm::zip(ends, ArrayRef(ends).drop_front()))
    queries.push_back({{begin, end}});
}

/// Returns candidate sets of queries to exchange, the smallest first. Each of these queries sees all keys in every
/// head.
static SmallVector<plan::TokenSet> candidatesOf(Operation *attention, plan::Sizes sizes) {
  SmallVector<plan::TokenSet> candidates;
  SmallVector<ExchangedKeys> solutions;
  for (auto solution : attention->getAttrOfType<ArrayAttr>(kSolutionAttrName).getAsRange<SolutionAttr>()) {
    FailureOr<std::vector<plan::Piece>> pieces = piecesOf(solution, attention, sizes);
    std::optional<ExchangedKeys> exchange;
    if (succeeded(pieces))
      exchange = ExchangedKeys::make(*pieces, sizes, /*ranks=*/1, /*chunks=*/1);
    if (!exchange)
      return {};
    if (solutions.empty()) { // those of the first head
      for (auto [piece, queries] : llvm::zip(*pieces, exchange->queriesOfPieces())) {
        if (piece.hasBoxes)
          addQueriesOfBoxes(piece.boxes, candidates);
        else
          candidates.push_back(queries);
      }
    }
    solutions.push_back(std::move(*exchange));
  }
  llvm::erase_if(candidates, [&](const plan::TokenSet &queries) {
    int64_t pairs = plan::countTokens(queries) * sizes.keys;
    return pairs == 0 ||
           !llvm::all_of(solutions, [&](const ExchangedKeys &of) { return of.countPairs(queries) == pairs; });
  });
  llvm::sort(candidates, [](const plan::TokenSet &x, const plan::TokenSet &y) {
    return std::pair(plan::countTokens(x), x.front().begin) < std::pair(plan::countTokens(y), y.front().begin);
  });
  return candidates;
}

/// Converts positions on the axis of keys to row numbers of queries.
static plan::TokenSet rowsOf(plan::TokenSet positions, plan::Sizes sizes) {
  for (plan::Interval &some : positions)
    some = {some.begin - (sizes.keys - sizes.queries), some.end - (sizes.keys - sizes.queries)};
  return positions;
}

/// Returns whether an attention can be computed without the queries `rows`: every head must keep some pairs, and a plan
/// must hold them. Emits no errors.
static bool canRemove(Operation *attention, const plan::TokenSet &rows) {
  Operation *rest = attention->clone();
  llvm::scope_exit destroy([&] { rest->destroy(); });
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler quiet(attention->getContext(), // here it is no error
                                [=](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  return succeeded(removeQueries(rest, rows)) && planPieces(rest);
}

plan::TokenSet xf::exchangedQueries(Operation *attention, int64_t ranks, int64_t chunks) {
  constexpr int64_t mostKeys = 1 << 22; // of which plans are made when a program is compiled
  constexpr size_t mostRuns = 64;       // which are tensors of their own
  if (ranks < 2 || !canExchange(attention))
    return {};
  plan::Sizes sizes = {typeOfOperand(attention, 0).getDimSize(tokenDim),
                       typeOfOperand(attention, 1).getDimSize(tokenDim)};
  int64_t parts = ranks * chunks;
  if (sizes.queries > sizes.keys || sizes.keys > mostKeys || sizes.queries % parts != 0 || sizes.keys % parts != 0)
    return {};
  std::optional<std::vector<plan::Piece>> pieces = planPieces(attention);
  if (!pieces)
    return {};
  std::optional<ExchangedKeys> exchange = ExchangedKeys::make(*pieces, sizes, ranks, chunks);
  if (!exchange)
    return {};
  RowBytes row = rowBytes(attention);
  int64_t least = mostSent(*exchange, ranks, row, {});
  plan::TokenSet all;
  SmallVector<plan::TokenSet> choices; // each sends fewer bytes than the one before
  for (const plan::TokenSet &queries : candidatesOf(attention, sizes)) {
    // With the queries of one set those of smaller ones travel: all keys are saved once no query asks for them.
    plan::TokenSet more = plan::unite(all, queries);
    if (more == all || more.size() > mostRuns || plan::countTokens(more) == sizes.queries)
      continue;
    all = std::move(more);
    if (int64_t sent = mostSent(*exchange, ranks, row, all); sent < least) {
      least = sent;
      choices.push_back(rowsOf(all, sizes));
    }
  }
  for (const plan::TokenSet &rows : llvm::reverse(choices))
    if (canRemove(attention, rows))
      return rows;
  return {};
}

LogicalResult xf::removeQueries(Operation *attention, const plan::TokenSet &rows) {
  SmallVector<Interval> numbers;
  for (plan::Interval some : rows)
    numbers.push_back({some.begin, some.end});
  return pattern::removeQueries(attention, numbers);
}
