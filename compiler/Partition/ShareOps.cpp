//===- ShareOps.cpp - A rank's share of single ops ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a rank's share of each op. Most ops become the same op on a rank's shares. If ranks then have summands of a
// result, these are added over ranks. Other ops:
//
// - An operand that is added to a sum (a bias, the extras of an epilogue, an initial table) is added once, after the
//   sum over ranks.
// - A mean over a dimension that ranks share is the mean of the ranks' means.
// - If a slice takes elements of one rank only, all ranks slice their shares at the same position. They gather these
//   slices, and keep those of the one rank.
// - A loss is the mean over the targets of all ranks. Ranks add up their losses and their numbers of targets.
// - Attention whose tokens ranks share: see Attention/.
//
// In the order `keys`, sums over ranks are computed in slices (SliceSums.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ShareOps.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ScatterSums.h"
#include "compiler/Partition/SliceSums.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

using Values = SmallVector<Value>;

/// Builds a copy of `op` with the operands `operands` and results of the types `types`. If there are fewer operands
/// than `op` has, leaves out its last ones.
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

/// Builds a copy of the op on a rank's shares of its operands and results.
static Operation *cloneOn(OpBuilder &b, const OpShare &share) {
  return cloneOn(b, share.op, share.operands, share.types);
}

/// Returns `results`, the results of a rank's op. If each rank has only a summand of a result, returns the sum over
/// ranks in place of the summand.
static Values sumResults(OpBuilder &b, const OpShare &share, ValueRange results) {
  Values sums;
  for (auto [result, axes] : llvm::zip(results, share.sums))
    sums.push_back(sumOverRanks(b, share.op->getLoc(), result, axes, share.mesh, getElementTypeOrSelf(result)));
  return sums;
}

/// Returns whether an op is computed in slices: the order `keys` requires this if ranks have summands of a result.
static bool isSliced(const OpShare &share) {
  return hasKeysOrder(share.op) && llvm::any_of(share.sums, [](const auto &axes) { return !axes.empty(); });
}

/// Builds a rank's share of an op in slices, each by a copy of the op.
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

/// Builds result `number` of the epilogue of `op` from `sum`, the sum of all ranks' products.
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

/// Builds the product of operands[0] and operands[1] without the epilogue of `op`. The result has the type `type`,
/// whose elements have the accumulator's type.
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

/// Builds a rank's share of an op whose last operand, which has the index `number` and is optional, is added to a sum.
/// Adds this operand after the sum over ranks, so that it counts once.
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

/// Builds x times `factor`, with elements of type `elementType`. Multiplies in the accumulator's type, and rounds once.
static Value multiplied(OpBuilder &b, Location location, Value x, double factor, Type elementType) {
  auto type = cast<RankedTensorType>(x.getType());
  Type exact = accumulatorType(type.getElementType());
  return MapOp::create(b, location, type.clone(elementType), x, [&](OpBuilder &builder, ValueRange scalars) -> Value {
    Value constant = arith::ConstantOp::create(builder, location, builder.getFloatAttr(exact, factor));
    Value y = arith::MulFOp::create(builder, location, widened(builder, location, exact, scalars[0]), constant);
    return narrowed(builder, location, elementType, y);
  });
}

/// Builds a rank's share of a reduction. Computes a mean over ranks from the ranks' means. Rounds only the result,
/// because the sum of the means may exceed the largest 16-bit number.
static FailureOr<Values> buildReduce(OpBuilder &b, const OpShare &share, ReduceOp op) {
  ArrayRef<Attribute> axes = share.sums.front();
  if (op.getKind() != Reduction::k_mean || axes.empty())
    return buildSame(b, share);
  Type type = share.types.front().getElementType(), exact = accumulatorType(type);
  if (isSliced(share)) { // a sum of means, each times its slice's fraction of the elements
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

/// Builds the number of targets that are not ignored, a scalar of type `exact`.
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

/// Builds the scalar x count / max(1, all), of type `elementType`.
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

/// Builds two numbers: the targets of this rank that are not ignored, and the targets of all ranks that are not
/// ignored. Both have the type `exact`, but f64 in the order `keys`, because sums of counts in f64 are exact in any
/// order.
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

/// Builds a rank's share of the gradient of a loss. A rank's op divides by the number of its own targets. So the
/// cotangent of the loss is first multiplied by the fraction of all targets that the rank has.
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
// Slices
//===----------------------------------------------------------------------===//

/// Takes the elements `first`, `first` + taken.stride, .. of each of the `chunks` chunks of `x` along dimension
/// taken.dim. `x` is a rank's share. All ranks do this, but the elements that the slice asks for are in only one chunk
/// of one rank.
static Value takeOfChunks(OpBuilder &b, Location location, Value x, const DimensionFactors::Taken &taken, int64_t first,
                          int64_t chunks) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape(type.getShape()), joined = shape;
  int64_t d = taken.dim;
  joined[d] = chunks * taken.size;
  if (chunks > 1) {
    shape[d] /= chunks;
    shape.insert(shape.begin() + d++, chunks);
    x = ReshapeOp::create(b, location, type.clone(shape), x);
  }
  SmallVector<int64_t> offsets(shape.size(), 0), strides(shape.size(), 1);
  offsets[d] = first;
  strides[d] = taken.stride;
  shape[d] = taken.size;
  Value y = SliceOp::create(b, location, type.clone(shape), x, offsets, strides);
  return chunks > 1 ? ReshapeOp::create(b, location, type.clone(joined), y).getResult() : y;
}

/// Builds a rank's share of a slice along dimensions that ranks share. All elements of the slice lie in one chunk of
/// one rank. Each rank takes the elements at the same positions from each of its chunks, and the ranks gather what they
/// have taken. From that, each rank takes the elements of the one chunk.
static FailureOr<Values> buildSlice(OpBuilder &b, const OpShare &share, SliceOp op) {
  Value x = share.operands[0];
  DimShardings dims = share.operandDims[0];
  SmallVector<int64_t> offsets(op.getOffsets()), strides(op.getStrides());
  for (const DimensionFactors::Taken &taken : share.factors->taken) {
    DimSharding of = dims[taken.dim];
    if (of.isWhole())
      continue;
    int64_t length = cast<RankedTensorType>(x.getType()).getDimSize(taken.dim), part = 0, first = taken.first;
    if (!ShapedType::isDynamic(length)) {
      length /= of.chunks;
      part = first / length;
      first %= length;
    }
    Value own = takeOfChunks(b, op.getLoc(), x, taken, first, of.chunks);
    DimShardings from = dims;
    dims[taken.dim] = DimSharding();
    FailureOr<Value> all = reshard(b, op.getLoc(), own, from, dims, share.mesh);
    if (failed(all))
      return failure();
    x = *all;
    offsets[taken.dim] = part * taken.size;
    strides[taken.dim] = 1;
  }
  auto copy = cast<SliceOp>(cloneOn(b, op, x, share.types));
  copy.setOffsets(offsets);
  copy.setStrides(strides);
  return Values{copy.getY()};
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Builds the norm of gradients from whole gradients, which every rank gathers.
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
      .Case<AttentionOp, AttentionVjpOp>(
          [&](auto) { return share.tokens.isWhole() ? buildSame(b, share) : buildAttention(b, share); })
      .Case([&](CrossEntropyVjpOp op) { return buildCrossEntropyVjp(b, share, op); })
      .Case([&](ClipScaleOp) -> FailureOr<Values> {
        if (hasKeysOrder(share.op))
          return buildWholeNorm(b, share);
        Operation *copy = cloneOn(b, share);
        setGradientAxes(copy, share.operandDims, share.mesh);
        return Values{copy->getResult(0)};
      })
      .Case([&](SliceOp op) { return buildSlice(b, share, op); })
      .Case([&](SplitHeadsOp) -> FailureOr<Values> {
        Operation *copy = cloneOn(b, share);
        cast<SplitHeadsOp>(copy).setHeads(share.types.front().getDimSize(1));
        return Values{copy->getResult(0)};
      })
      .Default([&](Operation *) { return buildSame(b, share); });
}
