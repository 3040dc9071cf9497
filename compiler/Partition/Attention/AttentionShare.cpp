//===- AttentionShare.cpp - Attention on a part of the tokens -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a rank's share of an attention whose tokens are divided among ranks. A rank gets all keys that its queries
// see, and computes the pairs of its queries, one chunk after the other. It sends gradients of keys back to the ranks
// that own the keys. For kernelised attention, ranks send each other sums over keys instead of keys (StateShare.cpp).
//
// A few queries that see all keys are sent to the ranks of these keys instead (QueryExchange.cpp).
//
// In the order `keys`, the rank that owns keys computes their gradients. For this, it gets all queries.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/AttentionDims.h"
#include "compiler/Partition/Attention/ExchangedQueries.h"
#include "compiler/Partition/Attention/QueryExchange.h"
#include "compiler/Partition/CreateOnce.h"
#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ShareOps.h"
#include "compiler/Partition/SliceSums.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/pieces/Zigzag.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::xf;

using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Returns `type` with another number of tokens: multiplied by `ranks` if `multiplies`, else divided by `ranks`. A
/// dynamic number stays dynamic.
static RankedTensorType withKeys(RankedTensorType type, int64_t ranks, bool multiplies) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t &tokens = shape[tokenDim];
  if (!ShapedType::isDynamic(tokens))
    tokens = multiplies ? tokens * ranks : tokens / ranks;
  return type.clone(shape);
}

/// Builds a constant pair of integers, of shape 1x2.
static Value buildConstant(OpBuilder &b, Location location, ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get({1, 2}, b.getI64Type());
  return arith::ConstantOp::create(b, location, DenseElementsAttr::get(type, numbers));
}

/// Builds the pair (p, P) which says that chunk number `turn` of this rank is part p of P equal parts of the queries.
static Value buildPart(OpBuilder &b, Location location, ArrayAttr axes, int64_t ranks, int64_t turn, int64_t chunks) {
  SmallVector<int64_t> numbers;
  for (int64_t rank = 0; rank < ranks; ++rank)
    numbers.append({xfrt::zigzagChunk(turn, rank, ranks), ranks * chunks});
  auto all = RankedTensorType::get({ranks, 2}, b.getI64Type());
  auto values = DenseElementsAttr::get(all, ArrayRef<int64_t>(numbers));
  for (auto constant : b.getBlock()->getOps<arith::ConstantOp>())
    if (constant.getValue() == values)
      for (Operation *user : constant->getUsers())
        if (auto slice = dyn_cast<AllSliceOp>(user); slice && slice.getAxes() == axes)
          return slice;
  Value constant = arith::ConstantOp::create(b, location, values);
  return AllSliceOp::create(b, location, RankedTensorType::get({1, 2}, b.getI64Type()), constant, 0, axes);
}

static RankedTensorType chunkType(Type type, int64_t chunks) {
  return withKeys(cast<RankedTensorType>(type), chunks, /*multiplies=*/false);
}

/// Returns chunk `number` of `rows`, which have `chunks` chunks. If `rows` is a concatenation of chunks, returns its
/// operand, else builds a slice. Fails, after an error, if arguments do not determine a dynamic number of tokens.
static FailureOr<Value> chunkOf(OpBuilder &b, Location location, Value rows, int64_t number, int64_t chunks) {
  if (chunks == 1)
    return rows;
  auto reshaped = rows.getDefiningOp<ReshapeOp>(); // `joined`
  if (auto concat = (reshaped ? reshaped.getX() : rows).getDefiningOp<ConcatOp>();
      concat && concat.getType() == rows.getType() && concat.getAxis() == tokenDim &&
      int64_t(concat.getInputs().size()) == chunks)
    return concat.getInputs()[number];
  RankedTensorType type = chunkType(rows.getType(), chunks);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  if (!type.isDynamicDim(tokenDim)) {
    offsets[tokenDim] = number * type.getDimSize(tokenDim);
    if (type.hasStaticShape())
      return createOnce<SliceOp>(b, location, rows, type, rows, offsets, strides);
  }
  SymbolicSizes sizes(cast<FunctionOpInterface>(b.getBlock()->getParentOp()));
  const SizeExpressions *known = sizes.of(rows);
  if (!known)
    return emitError(location, "expected a number of tokens that arguments determine, for the ")
           << chunks << " chunks of each rank";
  SizeExpressions all = *known, starts(type.getRank());
  std::optional<SizeExpression> exact = exactQuotient(all[tokenDim], SizeExpression(chunks));
  all[tokenDim] = exact ? *exact : floorQuotient(all[tokenDim], chunks); // a call has to divide (xf.exchange_rows)
  starts[tokenDim] = all[tokenDim] * SizeExpression(number);
  auto [positions, named] = splitPositions(b.getContext(), starts);
  return createOnce<SliceOp>(b, location, rows, type, rows, positions, strides, named,
                             sizesAttr(b.getContext(), type.getShape(), all));
}

/// Returns whether operand number `operand` has a row for each query. These operands are q and, in a gradient, o, lse,
/// d_o and d_lse, which come after k and v.
static bool hasQueries(AttentionOp, unsigned operand) { return operand == 0; }
static bool hasQueries(AttentionVjpOp op, unsigned operand) {
  constexpr unsigned first = 3;
  return operand == 0 || (operand >= first && operand < first + 2 + bool(op.getLse()) + bool(op.getDLse()));
}

/// Returns whether result number `result` has a row for each query. The other results are gradients of keys and values.
template <typename OpTy>
static bool isOfQueries(unsigned result) {
  return result == 0 || std::is_same_v<OpTy, AttentionOp>;
}

/// Builds the attention, or its gradient, for the queries in this rank's chunk number `turn`. `operands` has the
/// queries of all chunks of the rank. Fails after an error.
template <typename OpTy>
static FailureOr<OpTy> buildChunk(OpBuilder &b, const OpShare &share, OpTy op, Values operands, int64_t turn) {
  int64_t chunks = share.tokens.chunks, ranks = ranksOf(share.mesh, share.tokens.axes);
  for (auto [number, operand] : llvm::enumerate(operands))
    if (hasQueries(op, number)) {
      FailureOr<Value> rows = chunkOf(b, op.getLoc(), operand, turn, chunks);
      if (failed(rows))
        return failure();
      operand = *rows;
    }
  Value part = buildPart(b, op.getLoc(), share.tokens.axes, ranks, turn, chunks);
  auto copy = cast<OpTy>(b.clone(*op));
  copy->setOperands(operands);
  copy.getPartMutable().assign(part);
  for (auto [result, type] : llvm::zip(copy->getResults(), share.types))
    if (isOfQueries<OpTy>(result.getResultNumber()))
      result.setType(chunkType(type, chunks));
  return copy;
}

/// Joins the rows of a rank's chunks to a tensor of type `type`. If the number of rows is dynamic, declares that it is
/// equal to the number of rows of `q`. It could not be computed from the chunks: their sizes are rounded quotients, and
/// n / 2 + n / 2 need not be n.
static Value joined(OpBuilder &b, Location location, RankedTensorType type, ArrayRef<Value> chunks, Value q) {
  if (chunks.size() == 1)
    return chunks.front();
  Value rows = ConcatOp::create(b, location, type, chunks, tokenDim);
  if (!type.isDynamicDim(tokenDim))
    return rows;
  SymbolicSizes sizes(cast<FunctionOpInterface>(b.getBlock()->getParentOp()));
  const SizeExpressions *known = sizes.of(q);
  if (!known || (type.getRank() > 3 && type.isDynamicDim(3)))
    return rows;
  SizeExpressions all = *known; // entries, heads and tokens are those of q
  all.resize(type.getRank());
  return ReshapeOp::create(b, location, type, rows, sizesAttr(b.getContext(), type.getShape(), all));
}

//===----------------------------------------------------------------------===//
// The order `keys`
//===----------------------------------------------------------------------===//

/// If an attention of this program computed `lse` in f64 (widenLse), returns the value before it was rounded, else
/// `lse` itself. Next to a large maximum, an f32 has no digits left for the logarithm of the sum.
static Value exactLse(Value lse) {
  auto rounded = lse.getDefiningOp<CastOp>();
  return rounded && getElementTypeOrSelf(rounded.getX().getType()).isF64() ? rounded.getX() : lse;
}

/// Makes an attention compute its log-sum-exp in f64. The function that calls this one must round the result for the
/// other ops of the program.
static void widenLse(AttentionOp op) {
  if (Value lse = op.getLse())
    lse.setType(cast<RankedTensorType>(lse.getType()).clone(Float64Type::get(op.getContext())));
}

/// Builds a copy of x, by two reshapes, that hides which op computed x. If kernels of a gradient find the attention
/// that computed o and lse, they read the maximum and sum of each row, and the unrounded o, from it. Only a rank's own
/// rows have these: rows that come from other ranks do not, and the bits would differ.
static Value buildRounded(OpBuilder &b, Location location, Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  Value flat = ReshapeOp::create(b, location, type.clone({type.getNumElements()}), x);
  return ReshapeOp::create(b, location, type, flat);
}

/// Builds a gradient in the order `keys`: d_q of this rank's queries, and d_k and d_v of this rank's keys, summed over
/// the queries of all ranks. `operands` are this rank's shares of the operands, except that k and v have all keys that
/// its queries see. Fails, after an error, if a size is dynamic.
static FailureOr<Values> buildByKeys(OpBuilder &b, const OpShare &share, AttentionVjpOp op, Values operands) {
  Location location = op.getLoc();
  ArrayAttr axes = share.tokens.axes;
  int64_t ranks = ranksOf(share.mesh, axes);
  for (Value operand : operands)
    if (auto type = cast<RankedTensorType>(operand.getType()); !type.hasStaticShape())
      return op.emitError("not implemented: gradients of attention in the order `keys` with dynamic sizes, got ")
             << type;
  auto withAllKeys = [&](Type type) { return withKeys(cast<RankedTensorType>(type), ranks, /*multiplies=*/true); };
  auto build = [&](ArrayRef<Value> given, Value part) {
    auto copy = cast<AttentionVjpOp>(b.clone(*op));
    copy->setOperands(given);
    copy.getPartMutable().assign(part);
    for (auto [result, type] : llvm::zip(copy->getResults(), share.types))
      result.setType(type);
    for (unsigned number : {1, 2})
      copy->getResult(number).setType(withAllKeys(share.types[number]));
    return copy;
  };
  constexpr unsigned lse = 4;
  for (auto [number, operand] : llvm::enumerate(operands)) // o, log-sum-exp and their gradients
    if (number > 2 && hasQueries(op, number))
      operand = buildRounded(b, location, number == lse ? exactLse(operand) : operand);
  AttentionVjpOp ofQueries = build(operands, buildPart(b, location, axes, ranks, 0, 1));
  for (auto [number, operand] : llvm::enumerate(operands))
    if (hasQueries(op, number))
      operand = AllGatherOp::create(b, location, withAllKeys(operand.getType()), operand, tokenDim, axes);
  AttentionVjpOp ofKeys = build(operands, buildConstant(b, location, {0, 1}));
  ofKeys.getDQ().setType(cast<RankedTensorType>(operands[0].getType()));
  Values results = {ofQueries.getDQ()};
  for (unsigned number : {1, 2})
    results.push_back(AllSliceOp::create(b, location, share.types[number], ofKeys->getResult(number), tokenDim, axes));
  return results;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Builds the segments of all tokens from `share`, the segments of one rank's tokens. Ranks gather segments even if
/// each rank has all of them, so that all ranks use the same segments.
static Value allSegments(OpBuilder &b, Location location, Value share, const DimSharding &tokens, int64_t ranks) {
  constexpr int64_t dim = 1;
  auto type = cast<RankedTensorType>(share.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(dim))
    shape[dim] *= ranks;
  return createOnce<AllGatherOp>(b, location, share, type.clone(shape), share, dim, tokens.axes, tokens.chunks);
}

namespace {
/// The segments of all queries and of all keys, or null without segments.
struct AllSegments {
  Value queries, keys;
};
} // namespace

/// Gathers the segments of all tokens, for an attention or its gradient.
template <typename OpTy>
static AllSegments gatherSegments(OpBuilder &b, const OpShare &share, OpTy op) {
  auto gathered = [&](Value clause) {
    if (!clause)
      return Value();
    auto given = llvm::find(op->getOperands(), clause);
    return allSegments(b, op.getLoc(), share.operands[std::distance(op->operand_begin(), given)], share.tokens,
                       ranksOf(share.mesh, share.tokens.axes));
  };
  return {gathered(op.getSegmentsQ()), gathered(op.getSegmentsK())};
}

/// Builds a rank's operands of an attention, or of its gradient. k and v become all keys and values that the rank's
/// queries see, and segments become the segments of all tokens. The other operands are the rank's shares. `plan` is the
/// plan of the exchange of keys.
template <typename OpTy>
static Values exchangeKeys(OpBuilder &b, const OpShare &share, OpTy op, DenseI64ArrayAttr plan) {
  ArrayAttr axes = share.tokens.axes;
  Values operands(share.operands);
  AllSegments segments = gatherSegments(b, share, op);
  for (auto [operand, given] : llvm::zip(operands, op->getOperands()))
    if (given == op.getSegmentsQ() || given == op.getSegmentsK())
      operand = given == op.getSegmentsQ() ? segments.queries : segments.keys;
  for (Value &keys : MutableArrayRef(operands).slice(1, 2)) {
    auto all = withKeys(cast<RankedTensorType>(keys.getType()), ranksOf(share.mesh, axes), /*multiplies=*/true);
    keys = createOnce<ExchangeRowsOp>(b, op.getLoc(), keys, all, keys, share.operands[0], segments.queries,
                                      segments.keys, plan, axes);
  }
  return operands;
}

/// Builds an attention, or its gradient, for the rank's queries and the keys that they see. If `summands` is not empty,
/// it has a value for each result of `op`: the summands of d_k and d_v are added to these results, and the others are
/// not used. Fails after an error.
template <typename OpTy>
static FailureOr<Values> buildFromKeys(OpBuilder &b, const OpShare &share, OpTy op, ArrayRef<Value> summands = {}) {
  Location location = op.getLoc();
  auto plan = b.getDenseI64ArrayAttr(exchangePlan(op, share.tokens.chunks));
  Value q = share.operands[0];
  Values operands = exchangeKeys(b, share, op, plan);
  AllSegments segments = gatherSegments(b, share, op);
  if constexpr (std::is_same_v<OpTy, AttentionVjpOp>)
    if (hasKeysOrder(op))
      return buildByKeys(b, share, op, operands);
  SmallVector<Values> parts(op->getNumResults()); // of each result, of each chunk
  for (int64_t turn = 0; turn < share.tokens.chunks; ++turn) {
    FailureOr<OpTy> chunk = buildChunk(b, share, op, operands, turn);
    if (failed(chunk))
      return failure();
    if constexpr (std::is_same_v<OpTy, AttentionOp>)
      if (hasKeysOrder(op))
        widenLse(*chunk);
    for (auto [all, result] : llvm::zip(parts, (*chunk)->getResults()))
      all.push_back(result);
  }
  Values results;
  for (auto [number, all] : llvm::enumerate(parts)) {
    RankedTensorType type = share.types[number];
    if (isOfQueries<OpTy>(number)) {
      RankedTensorType computed = type.clone(getElementTypeOrSelf(all.front().getType()));
      Value whole = joined(b, location, computed, all, q);
      results.push_back(computed == type ? whole : CastOp::create(b, location, type, whole).getResult());
      continue;
    }
    // Gradients of keys are rounded once, behind the sum.
    Type exact = accumulatorType(type.getElementType());
    for (Value summand : all)
      summand.setType(cast<RankedTensorType>(operands[number].getType()).clone(exact));
    Value summand = all.front();
    for (Value next : ArrayRef(all).drop_front())
      summand = AddOp::create(b, location, summand.getType(), summand, next);
    Value sum = ReturnReduceOp::create(b, location, type.clone(exact), summand, q, segments.queries, segments.keys,
                                       plan, share.tokens.axes);
    if (!summands.empty())
      sum = AddOp::create(b, location, sum.getType(), sum, summands[number]);
    results.push_back(sum.getType() == type ? sum : CastOp::create(b, location, type, sum).getResult());
  }
  return results;
}

/// Builds an attention, or its gradient. The queries that exchangedQueries() returns are computed by the ranks that
/// have their keys, and all other queries by their own rank. Fails after an error.
template <typename OpTy>
static FailureOr<Values> buildWithExchangedQueries(OpBuilder &b, const OpShare &share, OpTy op) {
  plan::TokenSet rows = exchangedQueries(op, ranksOf(share.mesh, share.tokens.axes), share.tokens.chunks);
  if (rows.empty())
    return buildFromKeys(b, share, op);
  QueryExchange exchange(b, share, rows);
  Values operands(share.operands); // o and log-sum-exp as the attention of the local queries has them
  for (Value &operand : MutableArrayRef(operands).drop_front(3))
    operand = exchange.beforeReplaced(operand);
  OpShare ofLocal = share;
  ofLocal.operands = operands;
  auto local = cast<OpTy>(OpBuilder(op).clone(*op));
  llvm::scope_exit erase([&] { local.erase(); });
  if (failed(removeQueries(local, rows)))
    return failure();
  // Keys of local queries travel while the others are computed.
  exchangeKeys(b, ofLocal, local, b.getDenseI64ArrayAttr(exchangePlan(local, share.tokens.chunks)));
  FailureOr<Values> exchanged = exchange.attend(op);
  if (failed(exchanged))
    return failure();
  FailureOr<Values> results = buildFromKeys(b, ofLocal, local, *exchanged);
  if (failed(results))
    return failure();
  for (auto [number, result] : llvm::enumerate(*results))
    if (isOfQueries<OpTy>(number))
      result = exchange.replaced(result, (*exchanged)[number]);
  return results;
}

FailureOr<Values> xf::buildAttention(OpBuilder &b, const OpShare &share) {
  if (share.op->hasAttr(kKernelSumAttrName))
    return buildWithStates(b, share);
  if (auto vjp = dyn_cast<AttentionVjpOp>(share.op))
    return buildWithExchangedQueries(b, share, vjp);
  return buildWithExchangedQueries(b, share, cast<AttentionOp>(share.op));
}
