//===- QueryExchange.cpp - Attention of queries at their keys -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes attention of queries that see all keys on the ranks of these keys (ExchangedQueries.h). Let R be these
// queries. Each rank p gets all of them, and computes their attention on its own keys: o_p and lse_p. Then
//
//   lse = log sum_p exp(lse_p)         all ranks send each other lse_p (xf.all_gather)
//   o   = sum_p exp(lse_p - lse) o_p   at the owner of the query, in the order of ranks (xf.return_reduce)
//
// This is the split-KV of decoding (Milakov & Gimelshein 2018) on several machines. If inputs have 16 bits, each o_p
// and their sum are f32, so that no summand is rounded. Each lse_p and lse are f64: next to a large score, an f32 has
// no digits for log l.
//
// The gradient reads q, o, d_o and d_lse of R, which their owners send, and lse, which all ranks have. The terms of R
// in d_k and d_v of a rank's keys need no sum over ranks. d_q is a sum over ranks, at the owner of the query.
//
// Rows are sent by xf.exchange_rows and xf.return_reduce. Each rank passes |R| rows to these ops, but only the rows of
// its own queries are sent: the plan names them. All ranks run the same program. Where ranks must differ, for example
// in whether a rank owns a row, the program has a constant with a number for each rank, and each rank takes its own
// number.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/QueryExchange.h"
#include "compiler/Partition/Attention/AttentionDims.h"
#include "compiler/Partition/CreateOnce.h"
#include "compiler/Partition/Plan/PlanPieces.h"
#include "compiler/Pattern/ChangePairs.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfFamily.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "runtime/pieces/Zigzag.h"

using namespace mlir;
using namespace mlir::xf;

using Values = SmallVector<Value>;

static RankedTensorType typeOf(Value x) { return cast<RankedTensorType>(x.getType()); }

static RankedTensorType withTokens(Value x, int64_t tokens) {
  SmallVector<int64_t> shape(typeOf(x).getShape());
  shape[tokenDim] = tokens;
  return typeOf(x).clone(shape);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Returns the plan of an exchange to which each rank passes `count` rows, one for each exchanged query. Only the rows
/// of a rank's own queries are sent, and every rank receives them.
template <typename Runs>
static std::vector<int64_t> planOf(const Runs &runs, int64_t count, int64_t ranks) {
  plan::Piece piece;
  piece.hasBoxes = true;
  for (const auto &run : runs) {
    int64_t begin = run.owner * count + run.number;
    piece.boxes.push_back({{0, ranks * count}, {begin, begin + run.count}});
  }
  return plan::writeNumbers({piece});
}

QueryExchange::QueryExchange(OpBuilder &b, const OpShare &share, const plan::TokenSet &rows)
    : b(b), loc(share.op->getLoc()), share(share), ranks(ranksOf(share.mesh, share.tokens.axes)),
      queries(typeOf(share.operands[0]).getDimSize(tokenDim)) {
  int64_t chunks = share.tokens.chunks, length = queries / chunks;
  for (plan::Interval some : rows)
    for (int64_t row = some.begin; row < some.end;) {
      int64_t chunk = row / length, end = std::min(some.end, (chunk + 1) * length);
      // Zigzag is its own inverse.
      int64_t turn = chunk / ranks, owner = xfrt::zigzagChunk(turn, chunk % ranks, ranks) % ranks;
      runs.push_back({owner, turn * length + row % length, count, end - row});
      count += end - row;
      row = end;
    }
  SymbolicSizes sizes(cast<FunctionOpInterface>(b.getBlock()->getParentOp()));
  if (const SizeExpressions *known = sizes.of(share.operands[0]))
    batch = known->front();
  plan = b.getDenseI64ArrayAttr(planOf(runs, count, ranks));
}

/// Cuts the queries of a rank at the positions where a run of any rank begins or ends.
SmallVector<QueryExchange::Segment> QueryExchange::segments() {
  SmallVector<int64_t> cuts = {0, queries};
  for (const Run &run : runs)
    cuts.append({run.place, run.place + run.count});
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  SmallVector<Segment> all;
  for (auto [begin, end] : llvm::zip(cuts, ArrayRef(cuts).drop_front())) {
    Segment &segment = all.emplace_back(Segment{begin, end, {}});
    for (const Run &run : runs)
      if (run.place <= begin && end <= run.place + run.count)
        segment.runs.push_back({run.owner, begin, run.number + begin - run.place, end - begin});
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value QueryExchange::slice(Value x, int64_t begin, int64_t count) {
  RankedTensorType type = withTokens(x, count);
  if (type == x.getType())
    return x;
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[tokenDim] = begin;
  SizeExpressions sizes(type.getRank()); // of which the batch alone may be dynamic
  sizes.front() = batch;
  return createOnce<SliceOp>(b, loc, x, type, x, offsets, strides, /*starts=*/ArrayAttr(),
                             sizesAttr(b.getContext(), type.getShape(), sizes));
}

Value QueryExchange::joined(ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  int64_t tokens = 0;
  for (Value part : parts)
    tokens += typeOf(part).getDimSize(tokenDim);
  return createOnce<ConcatOp>(b, loc, parts.front(), withTokens(parts.front(), tokens), parts, tokenDim);
}

/// Builds an integer of shape [1]: 1 on `rank`, and 0 on the other ranks.
Value QueryExchange::isOwner(int64_t rank) {
  SmallVector<int64_t> numbers(ranks, 0);
  numbers[rank] = 1;
  auto all = RankedTensorType::get({ranks}, b.getI64Type());
  auto values = DenseElementsAttr::get(all, ArrayRef<int64_t>(numbers));
  auto one = RankedTensorType::get({1}, b.getI64Type());
  for (auto constant : b.getBlock()->getOps<arith::ConstantOp>())
    if (constant.getValue() == values)
      return createOnce<AllSliceOp>(b, loc, constant, one, constant, 0, share.tokens.axes);
  Value constant = arith::ConstantOp::create(b, loc, values);
  return AllSliceOp::create(b, loc, one, constant, 0, share.tokens.axes);
}

/// Builds the rows of the exchanged queries of all ranks. `rows` are the rows of this rank's own queries.
Value QueryExchange::toAll(Value rows) {
  RankedTensorType type = typeOf(rows);
  if (type.getRank() == 3) {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    Value exchanged = toAll(createOnce<ReshapeOp>(b, loc, rows, type.clone(shape), rows));
    return ReshapeOp::create(b, loc, withTokens(rows, count), exchanged);
  }
  Values own;
  for (const Run &run : runs)
    own.push_back(slice(rows, run.place, run.count));
  Value mine = joined(own);
  Value all = createOnce<ExchangeRowsOp>(b, loc, mine, withTokens(rows, ranks * count), mine, mine,
                                         /*segments_q=*/Value(), /*segments_k=*/Value(), plan, share.tokens.axes);
  Values found;
  for (const Run &run : runs)
    found.push_back(slice(all, run.owner * count + run.number, run.count));
  return joined(found);
}

/// Builds the sums over ranks of `summands`, which has a row for each exchanged query. On each rank, only the rows of
/// its own queries are complete sums.
Value QueryExchange::sumAtOwner(Value summands) {
  Value all = joined(Values(ranks, summands));
  return ReturnReduceOp::create(b, loc, summands.getType(), all, summands, /*segments_q=*/Value(),
                                /*segments_k=*/Value(), plan, share.tokens.axes);
}

/// Builds `x` if `isOwner` is not 0, else `y`.
static Value selected(OpBuilder &b, Location location, Value isOwner, Value x, Value y) {
  return MapOp::create(b, location, typeOf(y), ValueRange{isOwner, x, y}, [&](OpBuilder &inside, ValueRange scalars) {
    Value zero = arith::ConstantOp::create(inside, location, inside.getI64IntegerAttr(0));
    Value isMine = arith::CmpIOp::create(inside, location, arith::CmpIPredicate::ne, scalars[0], zero);
    return Value(arith::SelectOp::create(inside, location, isMine, scalars[1], scalars[2]));
  });
}

Value QueryExchange::replaced(Value rows, Value exchanged) {
  Values parts;
  for (const Segment &segment : segments()) {
    Value part = slice(rows, segment.begin, segment.end - segment.begin);
    for (const Run &run : segment.runs)
      part = selected(b, loc, isOwner(run.owner), slice(exchanged, run.number, run.count), part);
    parts.push_back(part);
  }
  return joined(parts);
}

/// Returns the tensor with `all` tokens of which `part` is the slice [begin, begin + count), or null if `part` is no
/// such slice.
static Value wholeOf(Value part, int64_t begin, int64_t count, int64_t all) {
  if (typeOf(part).getDimSize(tokenDim) != count)
    return {};
  if (count == all)
    return part;
  auto slice = part.getDefiningOp<SliceOp>();
  bool isPart = slice && slice.getOffsets()[tokenDim] == begin && slice.getX().getType() == withTokens(part, all);
  return isPart ? slice.getX() : Value();
}

/// Finds the call replaced(rows, exchanged) that built `value`, and returns `rows` and `exchanged`. Returns nullopt if
/// no call of replaced() built `value`.
std::optional<std::pair<Value, Value>> QueryExchange::findReplaced(Value value) {
  auto concat = value.getDefiningOp<ConcatOp>();
  SmallVector<Segment> cut = segments();
  Values parts = {value};
  if (cut.size() > 1 && concat && concat.getAxis() == tokenDim)
    parts.assign(concat.getInputs().begin(), concat.getInputs().end());
  if (parts.size() != cut.size())
    return std::nullopt;
  Value rows, exchanged;
  auto isOne = [](Value &one, Value found) {
    if (!one)
      one = found;
    return found && one == found;
  };
  for (auto [part, segment] : llvm::zip(parts, cut)) {
    for (const Run &run : llvm::reverse(segment.runs)) {
      auto select = part.getDefiningOp<MapOp>();
      if (!select || select.getInputs().size() != 3 || select.getInputs()[0] != isOwner(run.owner) ||
          !isOne(exchanged, wholeOf(select.getInputs()[1], run.number, run.count, count)))
        return std::nullopt;
      part = select.getInputs()[2];
    }
    if (!isOne(rows, wholeOf(part, segment.begin, segment.end - segment.begin, queries)))
      return std::nullopt;
  }
  return std::pair(rows, exchanged);
}

Value QueryExchange::beforeReplaced(Value value) {
  std::optional<std::pair<Value, Value>> found = findReplaced(value);
  return found ? found->first : value;
}

//===----------------------------------------------------------------------===//
// Sums of ranks
//===----------------------------------------------------------------------===//

/// Builds exp(x - most), divided by `divisor` unless that is null, as a tensor of type `type`. Where x is minus
/// infinity, builds 0, even if `most` is minus infinity, too: then no rank has a key that the row sees.
static Value buildWeight(OpBuilder &b, Location location, RankedTensorType type, Value x, Value most,
                         Value divisor = {}) {
  SmallVector<Value> inputs = {x, most};
  if (divisor)
    inputs.push_back(divisor);
  return MapOp::create(b, location, type, inputs, [&](OpBuilder &inside, ValueRange scalars) -> Value {
    FloatType real = cast<FloatType>(type.getElementType());
    auto number = [&](const APFloat &value) -> Value {
      return arith::ConstantOp::create(inside, location, inside.getFloatAttr(real, value));
    };
    Value lowest = number(APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
    Value zero = number(APFloat::getZero(real.getFloatSemantics()));
    Value isEmpty = arith::CmpFOp::create(inside, location, arith::CmpFPredicate::OEQ, scalars[0], lowest);
    Value difference = arith::SubFOp::create(inside, location, scalars[0], scalars[1]);
    Value weight = math::ExpOp::create(inside, location, difference);
    if (divisor)
      weight = arith::DivFOp::create(inside, location, weight, scalars[2]);
    return arith::SelectOp::create(inside, location, isEmpty, zero, weight);
  });
}

/// Builds two tensors: the log-sum-exp over the keys of all ranks, and the weight by which this rank's o enters the sum
/// of all ranks. `lse` is this rank's log-sum-exp, and `all` has the log-sum-exp of each rank along dimension 2.
/// Computes weights from differences to the largest log-sum-exp. So the weights of all ranks add up to 1 even if scores
/// are so large that the log-sum-exp over all ranks has no digits for the logarithm of the sum.
std::pair<Value, Value> QueryExchange::sumOfShares(Value lse, Value all) {
  RankedTensorType one = typeOf(lse), type = typeOf(all);
  SmallVector<int64_t> row(type.getShape());
  row[tokenDim] = 1;
  Value most = ReduceOp::create(b, loc, one, Reduction::k_max, all, ArrayRef<int64_t>{tokenDim});
  Value weights = buildWeight(b, loc, type, all, ReshapeOp::create(b, loc, type.clone(row), most));
  Value sum = ReduceOp::create(b, loc, one, Reduction::k_sum, weights, ArrayRef<int64_t>{tokenDim});
  Value total = MapOp::create(b, loc, one, ValueRange{most, sum}, [&](OpBuilder &inside, ValueRange scalars) -> Value {
    Value log = math::LogOp::create(inside, loc, scalars[1]);
    return arith::AddFOp::create(inside, loc, scalars[0], log);
  });
  return {total, buildWeight(b, loc, one, lse, most, sum)};
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Converts x to elements of type `element`. If an equal cast of x exists, returns its result.
static Value converted(OpBuilder &b, Location location, Value x, Type element) {
  return typeOf(x).getElementType() == element ? x : createOnce<CastOp>(b, location, x, typeOf(x).clone(element), x);
}

/// Builds the attention of queries `q` on a rank's keys `k` and values `v`. The new attention has all pairs, the score
/// of `op`, and an lse in f64. Fails after an error.
static FailureOr<AttentionOp> buildAllPairs(OpBuilder &b, AttentionOp op, Value q, Value k, Value v) {
  SmallVector<int64_t> shape(typeOf(q).getShape());
  auto lse = RankedTensorType::get(ArrayRef(shape).drop_back(), b.getF64Type());
  shape.back() = typeOf(v).getShape().back();
  auto all = AttentionOp::create(
      b, op.getLoc(), typeOf(q).clone(shape), lse, q, k, v, /*params=*/ValueRange(), /*decay=*/Value(),
      /*beta=*/Value(), /*relative=*/Value(), /*feature_captures=*/ValueRange(), /*lengths=*/Value(),
      /*query_lengths=*/Value(), /*segments_q=*/Value(), /*segments_k=*/Value(), /*symbols=*/ValueRange(),
      /*table_offsets=*/Value(), /*table_columns=*/Value(), /*captures=*/ValueRange(), /*seed=*/Value(),
      /*part=*/Value(), op.getScaleAttr(), /*dropout=*/nullptr, op.getPattern(), op.getExactWeights());
  IRMapping mapping;
  op.getScore().cloneInto(&all.getScore(), mapping);
  all->setAttr(kFamilyAttrName, op->getAttr(kFamilyAttrName));
  if (failed(pattern::addAllPairs(all)))
    return failure();
  return all;
}

FailureOr<Values> QueryExchange::attend(AttentionOp op) {
  Type element = typeOf(share.operands[0]).getElementType(), real = accumulatorType(element);
  Values exact = {toAll(share.operands[0]), share.operands[1], share.operands[2]};
  for (Value &operand : exact)
    operand = converted(b, loc, operand, real);
  FailureOr<AttentionOp> attention = buildAllPairs(b, op, exact[0], exact[1], exact[2]);
  if (failed(attention))
    return failure();
  Value o = attention->getO(), lse = attention->getLse();
  RankedTensorType type = typeOf(lse);
  SmallVector<int64_t> ofRanks = {type.getDimSize(0), type.getDimSize(1), ranks, count}, column(type.getShape());
  column.push_back(1);
  Value all = AllGatherOp::create(b, loc, withTokens(lse, ranks * count), lse, tokenDim, share.tokens.axes);
  auto [sum, own] = sumOfShares(lse, ReshapeOp::create(b, loc, type.clone(ofRanks), all));
  Value weight = converted(b, loc, own, real);
  weight = ReshapeOp::create(b, loc, typeOf(weight).clone(column), weight);
  Value sums = converted(b, loc, sumAtOwner(MulOp::create(b, loc, o.getType(), o, weight)), element);
  if (!op.getLse())
    return Values{sums};
  return Values{sums, converted(b, loc, sum, typeOf(op.getLse()).getElementType())};
}

/// Finds the call replaced(rows, exchanged) that built `lse`, and returns `exchanged`, the log-sum-exp of the exchanged
/// queries. If an attention of this program computed this log-sum-exp in f64, returns the value before rounding.
/// Returns null if no call of replaced() built `lse`.
Value QueryExchange::exactLse(Value lse) {
  std::optional<std::pair<Value, Value>> found = findReplaced(lse);
  if (!found)
    return {};
  auto rounded = found->second.getDefiningOp<CastOp>();
  return rounded && typeOf(rounded.getX()).getElementType().isF64() ? rounded.getX() : found->second;
}

FailureOr<Values> QueryExchange::attend(AttentionVjpOp op) {
  Type element = typeOf(share.operands[0]).getElementType(), real = accumulatorType(element);
  Values operands;
  constexpr unsigned lse = 4;
  for (auto [number, operand] : llvm::enumerate(share.operands)) {
    bool hasKeys = number == 1 || number == 2; // others have a row for each query
    Value known = number == lse ? exactLse(operand) : Value();
    operands.push_back(known ? known : converted(b, loc, hasKeys ? operand : toAll(operand), real));
  }
  auto all = cast<AttentionVjpOp>(b.clone(*op));
  all->setOperands(operands);
  for (auto [gradient, of] : llvm::zip(all->getResults(), operands))
    gradient.setType(of.getType());
  if (failed(pattern::addAllPairs(all)))
    return failure();
  return Values{converted(b, loc, sumAtOwner(all.getDQ()), element), all.getDK(), all.getDV()};
}
