//===- ShareOps.cpp - A rank's share of single ops ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops are the same op on parts, and what ranks have summands of is summed. Others:
//
// - What is added to a sum (a bias, the extras of an epilogue, an initial table) is added once, behind it.
// - A mean of a dimension that is shared is the mean of the ranks' means.
// - A loss is the mean over all ranks' targets: ranks sum what theirs add up to, and count them.
// - Attention on a part of the queries gets the keys that these see; gradients of keys go back. Kernelised attention
//   gets sums over keys (StateShare.cpp).
//
// In the order `keys` what ranks would sum is made in slices (SliceSums.h), and gradients of keys by those who have the
// keys, which get the queries that see them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ShareOps.h"
#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ScatterSums.h"
#include "compiler/Partition/SliceSums.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

using Values = SmallVector<Value>;

/// Builds the op on other operands, the first ones if they are fewer, with other types.
static Operation *cloneOn(OpBuilder &b, Operation *op, ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
  Operation *copy = b.clone(*op);
  while (copy->getNumOperands() > operands.size())
    copy->eraseOperand(copy->getNumOperands() - 1);
  for (auto [number, operand] : llvm::enumerate(operands))
    copy->setOperand(unsigned(number), operand);
  for (auto [result, type] : llvm::zip(copy->getResults(), types))
    result.setType(type);
  return copy;
}

/// Builds the op on shares, with the types that these have.
static Operation *cloneOn(OpBuilder &b, const OpShare &share) {
  return cloneOn(b, share.op, share.operands, share.types);
}

/// Sums those results of which ranks have summands.
static Values sumResults(OpBuilder &b, const OpShare &share, ValueRange results) {
  Values sums;
  for (auto [result, axes] : llvm::zip(results, share.sums))
    sums.push_back(sumOverRanks(b, share.op->getLoc(), result, axes, share.mesh, getElementTypeOrSelf(result)));
  return sums;
}

/// Whether sums of this op are made in slices.
static bool isSliced(const OpShare &share) {
  return hasKeysOrder(share.op) && llvm::any_of(share.sums, [](const auto &axes) { return !axes.empty(); });
}

/// Builds the op in slices.
static FailureOr<Values> buildSlices(OpBuilder &b, const OpShare &share) {
  auto elements = llvm::map_to_vector(share.types, [](RankedTensorType type) { return type.getElementType(); });
  return buildInSlices(b, share, elements, [&](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
    return Values(cloneOn(b, share.op, operands, types)->getResults());
  });
}

static FailureOr<Values> buildSame(OpBuilder &b, const OpShare &share) {
  if (isSliced(share))
    return buildSlices(b, share);
  return sumResults(b, share, cloneOn(b, share)->getResults());
}

static Value widened(OpBuilder &b, Location location, Type type, Value x) {
  return x.getType() == type ? x : arith::ExtFOp::create(b, location, type, x).getResult();
}
static Value narrowed(OpBuilder &b, Location location, Type type, Value x) {
  return x.getType() == type ? x : arith::TruncFOp::create(b, location, type, x).getResult();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Builds a result of a product's epilogue, element by element, on the sum of the ranks' products.
static Value buildEpilogue(OpBuilder &b, const OpShare &share, ProductOp op, Value sum, unsigned number) {
  Values inputs = {sum};
  llvm::append_range(inputs, share.operands.drop_front(2));
  Location location = op.getLoc();
  RankedTensorType type = share.types[number];
  return MapOp::create(b, location, type, inputs, [&](OpBuilder &builder, ValueRange scalars) -> Value {
    Block &block = op.getEpilogue().front();
    Type exact = block.getArgument(0).getType();
    IRMapping mapping;
    for (auto [argument, scalar] : llvm::zip(block.getArguments(), scalars))
      mapping.map(argument, widened(builder, location, exact, scalar));
    for (Operation &inner : block.without_terminator())
      builder.clone(inner, mapping);
    Value result = mapping.lookupOrDefault(block.getTerminator()->getOperand(number));
    return narrowed(builder, location, type.getElementType(), result);
  });
}

/// Builds the product of two factors, in the type in which it is summed.
static Value buildFactors(OpBuilder &b, ProductOp op, ArrayRef<Value> operands, Type type) {
  auto product = ProductOp::create(b, op.getLoc(), TypeRange{type}, operands[0], op.getTransposeA(), operands[1],
                                   op.getTransposeB(), ValueRange(),
                                   [](OpBuilder &, ValueRange scalars) { return Values{scalars.front()}; });
  return product->getResult(0);
}

static FailureOr<Values> buildProduct(OpBuilder &b, const OpShare &share, ProductOp op) {
  if (share.sums.front().empty())
    return buildSame(b, share);
  Block &block = op.getEpilogue().front();
  Type exact = block.getArgument(0).getType();
  RankedTensorType type = share.types.front();
  bool isPlain = op->getNumResults() == 1 && block.getTerminator()->getOperand(0) == block.getArgument(0);
  Type summed = isPlain ? type.getElementType() : exact;
  Value sum;
  if (isSliced(share)) {
    OpShare factors = share;
    factors.operands = share.operands.take_front(2);
    factors.types = share.types.take_front(1);
    FailureOr<Values> sums =
        buildInSlices(b, factors, summed, [&](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
          return Values{buildFactors(b, op, operands, RankedTensorType(types[0]).clone(exact))};
        });
    if (failed(sums))
      return failure();
    sum = sums->front();
  } else {
    Value product = buildFactors(b, op, share.operands, type.clone(exact));
    sum = sumOverRanks(b, op.getLoc(), product, share.sums.front(), share.mesh, summed);
  }
  if (isPlain)
    return Values{sum};
  Values results;
  for (unsigned number = 0; number < op->getNumResults(); ++number)
    results.push_back(buildEpilogue(b, share, op, sum, number));
  return results;
}

/// Builds an op of which operand `number`, if there is one, is added to what ranks sum.
static FailureOr<Values> buildAddingOnce(OpBuilder &b, const OpShare &share, unsigned number) {
  if (share.sums.front().empty() || share.operands.size() <= number)
    return buildSame(b, share);
  OpShare without = share;
  without.operands = share.operands.take_front(number);
  FailureOr<Values> sums = buildSame(b, without);
  if (failed(sums))
    return failure();
  return Values{AddOp::create(b, share.op->getLoc(), share.types.front(), sums->front(), share.operands[number])};
}

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

/// Builds x times a factor, elements of `elementType`.
static Value multiplied(OpBuilder &b, Location location, Value x, double factor, Type elementType) {
  auto type = cast<RankedTensorType>(x.getType());
  return MapOp::create(b, location, type.clone(elementType), x, [&](OpBuilder &builder, ValueRange scalars) -> Value {
    Value constant = arith::ConstantOp::create(builder, location, builder.getFloatAttr(type.getElementType(), factor));
    return narrowed(builder, location, elementType, arith::MulFOp::create(builder, location, scalars[0], constant));
  });
}

/// A mean is rounded once: of 16 bits, the sum of the ranks' means may be larger than any number.
static FailureOr<Values> buildReduce(OpBuilder &b, const OpShare &share, ReduceOp op) {
  ArrayRef<Attribute> axes = share.sums.front();
  if (op.getKind() != Reduction::k_mean || axes.empty())
    return buildSame(b, share);
  Type type = share.types.front().getElementType(), exact = accumulatorType(type);
  if (isSliced(share)) { // a sum of sums: how many slices there are is nobody else's
    FailureOr<Values> sums =
        buildInSlices(b, share, exact, [&](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
          RankedTensorType from = cast<RankedTensorType>(operands[0].getType());
          double count = double(from.getNumElements()) / double(types[0].getNumElements());
          double all = double(op.getX().getType().getNumElements()) / double(op.getY().getType().getNumElements());
          Value mean = cloneOn(b, op, operands, types)->getResult(0);
          return Values{multiplied(b, op.getLoc(), mean, count / all, exact)};
        });
    if (failed(sums))
      return failure();
    Value sum = sums->front();
    return Values{type == exact ? sum : CastOp::create(b, op.getLoc(), share.types.front(), sum).getResult()};
  }
  Value mean = cloneOn(b, share)->getResult(0);
  Value sum = sumOverRanks(b, op.getLoc(), mean, axes, share.mesh, exact);
  int64_t ranks = ranksOf(share.mesh, b.getArrayAttr(axes));
  return Values{multiplied(b, op.getLoc(), sum, 1.0 / double(ranks), type)};
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// Builds the number of a rank's targets that count.
static Value countTargets(OpBuilder &b, Location location, Value targets, Type exact) {
  auto type = cast<RankedTensorType>(targets.getType());
  Value counts = MapOp::create(b, location, type.clone(exact), targets, [&](OpBuilder &builder, ValueRange scalars) {
    Type integer = scalars[0].getType();
    Value ignored = arith::ConstantOp::create(builder, location, builder.getIntegerAttr(integer, -100));
    Value isCounted = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, scalars[0], ignored);
    return Value(arith::UIToFPOp::create(builder, location, exact, isCounted));
  });
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return ReduceOp::create(b, location, RankedTensorType::get({}, exact), Reduction::k_sum, counts, all);
}

/// Builds x count / max(1, all), elements of `elementType`; `all` counts what all ranks have.
static Value weighted(OpBuilder &b, Location location, Value x, Value count, Value all, Type elementType) {
  Type exact = getElementTypeOrSelf(count);
  auto type = RankedTensorType::get({}, elementType);
  return MapOp::create(b, location, type, Values{x, count, all}, [&](OpBuilder &builder, ValueRange scalars) -> Value {
    Value one = arith::ConstantOp::create(builder, location, builder.getFloatAttr(exact, 1.0));
    Value most = arith::MaximumFOp::create(builder, location, scalars[2], one);
    Value part = arith::DivFOp::create(builder, location, scalars[1], most);
    Value y = arith::MulFOp::create(builder, location, widened(builder, location, exact, scalars[0]), part);
    return narrowed(builder, location, elementType, y);
  });
}

/// Counts a rank's targets and those of all, in f64 in the order `keys`, where no order of summands may show.
static std::pair<Value, Value> countAll(OpBuilder &b, const OpShare &share, Value targets, Type exact) {
  Location location = share.op->getLoc();
  exact = hasKeysOrder(share.op) ? b.getF64Type() : exact;
  Value count = countTargets(b, location, targets, exact);
  return {count, sumOverRanks(b, location, count, share.axes, share.mesh, exact)};
}

static FailureOr<Values> buildCrossEntropy(OpBuilder &b, const OpShare &share, CrossEntropyOp op) {
  Location location = op.getLoc();
  if (share.axes.empty())
    return Values(cloneOn(b, share)->getResults());
  Type type = share.types[0].getElementType(), exact = accumulatorType(type);
  auto [count, all] = countAll(b, share, share.operands[1], exact);
  auto buildPart = [&, all = all](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types, Value own) {
    Operation *copy = cloneOn(b, op, operands, types);
    copy->getResult(0).setType(RankedTensorType::get({}, exact)); // a loss of 16 bits is rounded once
    return Values{weighted(b, location, copy->getResult(0), own, all, exact), copy->getResult(1)};
  };
  if (hasKeysOrder(op))
    return buildInSlices(
        b, share, {type, share.types[1].getElementType()},
        [&](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
          return buildPart(operands, types, countTargets(b, location, operands[1], b.getF64Type()));
        },
        /*cutsAll=*/true);
  Values part = buildPart(share.operands, share.types, count);
  return Values{sumOverRanks(b, location, part[0], share.axes, share.mesh, type), part[1]};
}

/// The op divides by what it counts itself, so that the gradient of its loss is weighted with that.
static FailureOr<Values> buildCrossEntropyVjp(OpBuilder &b, const OpShare &share, CrossEntropyVjpOp op) {
  if (share.axes.empty())
    return buildSame(b, share);
  Type type = getElementTypeOrSelf(share.operands[3]);
  auto [count, all] = countAll(b, share, share.operands[1], accumulatorType(type));
  auto buildPart = [&, all = all](ArrayRef<Value> given, ArrayRef<RankedTensorType> types, Value own) {
    Values operands(given);
    operands[3] = weighted(b, op.getLoc(), given[3], own, all, type);
    return Values(cloneOn(b, op, operands, types)->getResults());
  };
  if (hasKeysOrder(op))
    return buildInSlices(
        b, share, share.types[0].getElementType(),
        [&](ArrayRef<Value> operands, ArrayRef<RankedTensorType> types) {
          return buildPart(operands, types, countTargets(b, op.getLoc(), operands[1], b.getF64Type()));
        },
        /*cutsAll=*/true);
  return buildPart(share.operands, share.types, count);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Builds an op unless the block has an equal one, which is then the same message.
template <typename OpTy, typename... Args>
static Value createOnce(OpBuilder &b, Location location, Value operand, Args &&...args) {
  auto created = OpTy::create(b, location, std::forward<Args>(args)...);
  for (Operation *user : operand.getUsers())
    if (user != created && OperationEquivalence::isEquivalentTo(user, created, OperationEquivalence::IgnoreLocations)) {
      created.erase();
      return user->getResult(0);
    }
  return created;
}

static RankedTensorType withKeys(RankedTensorType type, int64_t ranks, bool multiplies) {
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(shape[2]))
    shape[2] = multiplies ? shape[2] * ranks : shape[2] / ranks;
  return type.clone(shape);
}

/// Builds a pair of numbers.
static Value buildConstant(OpBuilder &b, Location location, ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get({1, 2}, b.getI64Type());
  return arith::ConstantOp::create(b, location, DenseElementsAttr::get(type, numbers));
}

/// Builds (p, P): which part of the queries is a rank's chunk number `turn`.
static Value buildPart(OpBuilder &b, Location location, ArrayAttr axes, int64_t ranks, int64_t turn, int64_t chunks) {
  SmallVector<int64_t> numbers;
  for (int64_t rank = 0; rank < ranks; ++rank)
    numbers.append({dealtChunk(turn, rank, ranks), ranks * chunks});
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

/// The dimension of tokens.
static constexpr int64_t tokenDim = 2;

static RankedTensorType chunkType(Type type, int64_t chunks) {
  return withKeys(cast<RankedTensorType>(type), chunks, /*multiplies=*/false);
}

/// Returns chunk `number` of `chunks` that rows consist of: what made them of chunks, or a slice.
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

/// Whether an operand has a row for each query: q, and of the gradient o, lse, d_o and d_lse, which follow k and v.
static bool hasQueries(AttentionOp, unsigned operand) { return operand == 0; }
static bool hasQueries(AttentionVjpOp op, unsigned operand) {
  constexpr unsigned first = 3;
  return operand == 0 || (operand >= first && operand < first + 2 + bool(op.getLse()) + bool(op.getDLse()));
}

/// Whether a result has a row for each query. Others are gradients of keys and values.
template <typename OpTy>
static bool isOfQueries(unsigned result) {
  return result == 0 || std::is_same_v<OpTy, AttentionOp>;
}

/// Builds the attention of a rank's chunk number `turn`.
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

/// Builds rows of all of a rank's chunks, as many as `q` has: a sum of quotients is no size that arguments have.
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

/// Builds a copy that nothing knows more of than its elements: kernels of a gradient would take log-sum-exp and o as
/// the forward kernels had them before they were rounded, which others do not get.
static Value buildRounded(OpBuilder &b, Location location, Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  Value flat = ReshapeOp::create(b, location, type.clone({type.getNumElements()}), x);
  return ReshapeOp::create(b, location, type, flat);
}

/// Builds a gradient in the order `keys`: d_q of the rank's queries, and d_k and d_v of its keys from all queries.
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
  for (auto [number, operand] : llvm::enumerate(operands)) // o, log-sum-exp and their gradients
    if (number > 2 && hasQueries(op, number))
      operand = buildRounded(b, location, operand);
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

template <typename OpTy>
static FailureOr<Values> buildAttention(OpBuilder &b, const OpShare &share, OpTy op) {
  if (share.tokens.isWhole())
    return buildSame(b, share);
  if (op->hasAttr(kKernelSumAttrName))
    return buildWithStates(b, share);
  Location location = op.getLoc();
  ArrayAttr axes = share.tokens.axes;
  int64_t ranks = ranksOf(share.mesh, axes);
  auto plan = b.getDenseI64ArrayAttr(exchangePlan(op, share.tokens.chunks));
  Value q = share.operands[0];
  Values operands(share.operands);
  for (Value &keys : MutableArrayRef(operands).slice(1, 2)) {
    auto all = withKeys(cast<RankedTensorType>(keys.getType()), ranks, /*multiplies=*/true);
    keys = createOnce<ExchangeRowsOp>(b, location, keys, all, keys, q, plan, axes);
  }
  if constexpr (std::is_same_v<OpTy, AttentionVjpOp>)
    if (hasKeysOrder(op))
      return buildByKeys(b, share, op, operands);
  SmallVector<Values> parts(op->getNumResults()); // of each result, of each chunk
  for (int64_t turn = 0; turn < share.tokens.chunks; ++turn) {
    FailureOr<OpTy> chunk = buildChunk(b, share, op, operands, turn);
    if (failed(chunk))
      return failure();
    for (auto [all, result] : llvm::zip(parts, (*chunk)->getResults()))
      all.push_back(result);
  }
  Values results;
  for (auto [number, all] : llvm::enumerate(parts)) {
    RankedTensorType type = share.types[number];
    if (isOfQueries<OpTy>(number)) {
      results.push_back(joined(b, location, type, all, q));
      continue;
    }
    // Gradients of keys are rounded once, behind the sum.
    Type exact = accumulatorType(type.getElementType());
    for (Value summand : all)
      summand.setType(cast<RankedTensorType>(operands[number].getType()).clone(exact));
    Value summand = all.front();
    for (Value next : ArrayRef(all).drop_front())
      summand = AddOp::create(b, location, summand.getType(), summand, next);
    Value sum = BringHomeOp::create(b, location, type.clone(exact), summand, q, plan, axes);
    results.push_back(sum.getType() == type ? sum : CastOp::create(b, location, type, sum).getResult());
  }
  return results;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Builds the norm of gradients of which each rank has all.
static FailureOr<Values> buildWholeNorm(OpBuilder &b, const OpShare &share) {
  Values gradients;
  for (auto [part, dims] : llvm::zip(share.operands, share.operandDims)) {
    FailureOr<Value> whole = reshard(b, share.op->getLoc(), part, dims, {}, share.mesh);
    if (failed(whole))
      return failure();
    gradients.push_back(*whole);
  }
  return Values(cloneOn(b, share.op, gradients, share.types)->getResults());
}

FailureOr<Values> xf::buildShare(OpBuilder &b, const OpShare &share) {
  return TypeSwitch<Operation *, FailureOr<Values>>(share.op)
      .Case([&](ProductOp op) { return buildProduct(b, share, op); })
      .Case([&](LinearOp) { return buildAddingOnce(b, share, 2); })
      .Case([&](EmbeddingVjpOp) { return buildAddingOnce(b, share, 2); })
      .Case([&](ReduceOp op) { return buildReduce(b, share, op); })
      .Case([&](CrossEntropyOp op) { return buildCrossEntropy(b, share, op); })
      .Case<AttentionOp, AttentionVjpOp>([&](auto op) { return buildAttention(b, share, op); })
      .Case([&](CrossEntropyVjpOp op) { return buildCrossEntropyVjp(b, share, op); })
      .Case([&](ClipScaleOp) -> FailureOr<Values> {
        if (hasKeysOrder(share.op))
          return buildWholeNorm(b, share);
        Operation *copy = cloneOn(b, share);
        setGradientAxes(copy, share.operandDims, share.mesh);
        return Values{copy->getResult(0)};
      })
      .Case([&](SplitHeadsOp) -> FailureOr<Values> {
        Operation *copy = cloneOn(b, share);
        cast<SplitHeadsOp>(copy).setHeads(share.types.front().getDimSize(1));
        return Values{copy->getResult(0)};
      })
      .Default([&](Operation *) { return buildSame(b, share); });
}
