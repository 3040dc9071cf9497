//===- ExpandRankSums.cpp - Sums of ranks as messages and kernels ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands sums over ranks to messages, which only move bytes, and ops that add:
//
//   %y = xf.all_reduce %x over ["data"] : tensor<6xf32>                       two ranks
// ->
//   %r = xf.reshape %x : tensor<6xf32> to tensor<1x6xf32>
//   %g = xf.all_gather %r dim 0 over ["data"] : tensor<1x6xf32> to tensor<2x6xf32>
//   %y = xf.reduce sum %g axes [0] : tensor<2x6xf32> -> tensor<6xf32>         before the first op that reads it
//
// Kernels do the additions, on every device and on all threads. They add in the order of ranks, so that all ranks have
// the same bits. With more than two ranks, a long sum is computed in parts: each rank gets the summands of one part
// from all ranks (xf.all_to_all) and adds them. Then the parts are gathered. So a rank sends twice as many bytes as its
// summand has, instead of sending the whole summand to every other rank.
//
// A scan over ranks also selects which summands it adds:
//
//   %y = xf.scan_states %x over ["sequence"] : tensor<6xf32>                  two ranks
// ->
//   %m = arith.constant [[0, 0], [1, 0]]                                      row p: of which ranks rank p has the sum
//   %p = xf.all_slice %m dim 0 over ["sequence"]
//   %g = xf.all_gather ..                                                     as above
//   %t = xf.map .. p != 0 ? g : 0                                             before the first op that reads it, as
//   %y = xf.reduce sum %t axes [0] : tensor<2x6xf32> -> tensor<6xf32>         above
//
// With more than two ranks, a long scan is computed in parts: each rank computes one part of the results of all ranks,
// and sends every rank the part of that rank's result. Again, a rank sends twice as many bytes as its summand has. In a
// tree of P ranks, it would send its summand log2 P times.
//
// In the order `keys`, the summands of ranks are added in pairs, (x0 + x1) + (x2 + x3), just as each rank has added the
// slices of its own summand. If the number of ranks is no power of two, there is no such order. Such ranks share only
// counts, whose sums are exact (SliceSums.cpp).
//
// Runs when the shares of ranks are known, before ops become launches. The ops that add come as late as possible, and
// the ops before them overlap with the messages (-xf-sink-waits).
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/Passes.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDRANKSUMSPASS
#include "compiler/Expand/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

/// The largest number of bytes of a sum that ranks send whole. For fewer bytes, a second exchange costs more than it
/// saves.
static constexpr int64_t mostWholeBytes = 16 << 10;

namespace {
/// Builds the ops that compute one sum over ranks. Inserts messages at the position of the sum, and the other ops
/// before its first user.
struct RankSum {
  RankSum(Operation *op, Value x, ArrayAttr axes);

  RankSum flattened();
  Value gatherWhole();
  Value scatter(int64_t dim);
  Value gather(Value part, int64_t dim);
  Value reshape(Value value, ArrayRef<int64_t> shape);
  Value add(Value parts);
  Value addPairs(Value parts, ArrayRef<int64_t> shape);

  OpBuilder b;
  Location loc;
  Operation *op, *user;
  Value x;
  ArrayAttr axes;
  RankedTensorType type;
  int64_t ranks = 1;
};
} // namespace

/// Returns the first op in the block of `op` that uses a result of `op`, directly or in one of its regions. Returns the
/// terminator if there is none.
static Operation *firstUserOf(Operation *op) {
  Operation *first = op->getBlock()->getTerminator();
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (ancestor->isBeforeInBlock(first))
      first = ancestor;
  }
  return first;
}

RankSum::RankSum(Operation *op, Value x, ArrayAttr axes)
    : b(op), loc(op->getLoc()), op(op), user(firstUserOf(op)), x(x), axes(axes),
      type(cast<RankedTensorType>(x.getType())) {
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= *meshOf(op).getSize(axis.getValue());
}

static SmallVector<int64_t> withFront(int64_t size, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result = {size};
  result.append(shape.begin(), shape.end());
  return result;
}

Value RankSum::reshape(Value value, ArrayRef<int64_t> shape) {
  Type to = type.clone(shape);
  return to == value.getType() ? value : ReshapeOp::create(b, loc, to, value).getY();
}

/// Returns this sum with x reshaped to one dimension.
RankSum RankSum::flattened() {
  RankSum flat = *this;
  flat.x = reshape(x, {type.getNumElements()});
  flat.type = cast<RankedTensorType>(flat.x.getType());
  return flat;
}

/// Builds the x of all ranks, stacked along a new first dimension.
Value RankSum::gatherWhole() {
  Value row = reshape(x, withFront(1, type.getShape()));
  Type all = type.clone(withFront(ranks, type.getShape()));
  return AllGatherOp::create(b, loc, all, row, 0, axes);
}

/// Builds this rank's part of the x of each rank, stacked along a new first dimension. Parts divide dimension `dim` of
/// x.
Value RankSum::scatter(int64_t dim) {
  Value row = reshape(x, withFront(1, type.getShape()));
  SmallVector<int64_t> shape = withFront(ranks, type.getShape());
  if (!ShapedType::isDynamic(shape[dim + 1]))
    shape[dim + 1] /= ranks;
  return AllToAllOp::create(b, loc, type.clone(shape), row, dim + 1, 0, axes);
}

/// Adds the summands of neighbouring ranks, then neighbouring sums, and so on. `parts` has the shape `shape`, whose
/// first dimension is the ranks. Their number must be a power of two.
Value RankSum::addPairs(Value parts, ArrayRef<int64_t> shape) {
  SmallVector<Value> summands;
  SmallVector<int64_t> offsets(shape.size(), 0), strides(shape.size(), 1);
  for (int64_t rank = 0; rank < ranks; ++rank) {
    offsets.front() = rank;
    Type one = type.clone(withFront(1, shape.drop_front()));
    Value part = SliceOp::create(b, loc, one, parts, offsets, strides);
    summands.push_back(reshape(part, shape.drop_front()));
  }
  return MapOp::create(b, loc, type.clone(shape.drop_front()), summands, [&](OpBuilder &inner, ValueRange scalars) {
    SmallVector<Value> sums(scalars);
    for (; sums.size() > 1; sums.truncate(sums.size() / 2))
      for (size_t n = 0; n < sums.size() / 2; ++n)
        sums[n] = arith::AddFOp::create(inner, loc, sums[2 * n], sums[2 * n + 1]);
    return sums.front();
  });
}

/// Adds `parts`, the summands that scatter() or gatherWhole() returned, along the first dimension. Inserts the ops
/// before the first user of the sum.
Value RankSum::add(Value parts) {
  b.setInsertionPoint(user);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(parts.getType()).getShape();
  if (hasKeysOrder(op) && llvm::isPowerOf2_64(uint64_t(ranks)))
    return addPairs(parts, shape);
  return ReduceOp::create(b, loc, type.clone(shape.drop_front()), Reduction::k_sum, parts, ArrayRef<int64_t>{0});
}

Value RankSum::gather(Value part, int64_t dim) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(part.getType()).getShape());
  shape[dim] *= ranks;
  return AllGatherOp::create(b, loc, type.clone(shape), part, dim, axes);
}

/// Returns the first dimension whose size is static and a multiple of `ranks`, or nullopt if there is none.
static std::optional<int64_t> dividedDim(RankedTensorType type, int64_t ranks) {
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size) && size > 0 && size % ranks == 0)
      return dim;
  return std::nullopt;
}

/// Returns whether a sum has so many bytes that ranks should not send each other whole summands: a second exchange
/// costs less than the bytes that it saves. A sum of a dynamic size counts as long.
static bool isLong(RankedTensorType type) {
  return !type.hasStaticShape() || type.getNumElements() * type.getElementTypeBitWidth() / 8 > mostWholeBytes;
}

/// Returns whether the elements of a sum, in row-major order, can be cut into one equal part for each rank.
static bool mayBeCut(const RankSum &sum) {
  return sum.type.hasStaticShape() && sum.type.getNumElements() % sum.ranks == 0;
}

static void expandAllReduce(AllReduceOp op) {
  RankSum sum(op, op.getX(), op.getAxes());
  const bool inParts = sum.ranks > 2 && isLong(sum.type);
  Value y;
  if (sum.ranks == 1) {
    y = op.getX();
  } else if (inParts && mayBeCut(sum)) {
    RankSum flat = sum.flattened();
    y = flat.gather(flat.add(flat.scatter(0)), 0);
    sum.b.setInsertionPoint(sum.user);
    y = sum.reshape(y, sum.type.getShape());
  } else if (std::optional<int64_t> dim = dividedDim(sum.type, sum.ranks); inParts && dim) {
    y = sum.gather(sum.add(sum.scatter(*dim)), *dim);
  } else {
    y = sum.add(sum.gatherWhole());
  }
  op.replaceAllUsesWith(y);
  op.erase();
}

static void expandReduceScatter(ReduceScatterOp op) {
  RankSum sum(op, op.getX(), op.getAxes());
  op.replaceAllUsesWith(sum.ranks == 1 ? op.getX() : sum.add(sum.scatter(op.getDim())));
  op.erase();
}

/// Returns a table of the shape `shape`, with a number for each pair of ranks. Number (own, other) is 1 if the scan
/// result of rank `own` includes the x of rank `other`, else 0. A result includes the x of all earlier ranks or, with
/// `reverse`, of all later ranks.
static DenseElementsAttr summandsOf(Builder &b, ArrayRef<int64_t> shape, int64_t ranks, bool reverse) {
  SmallVector<float> rows;
  for (int64_t own = 0; own < ranks; ++own)
    for (int64_t other = 0; other < ranks; ++other)
      rows.push_back((reverse ? other > own : other < own) ? 1 : 0);
  return DenseElementsAttr::get(RankedTensorType::get(shape, b.getF32Type()), ArrayRef<float>(rows));
}

/// Builds a tensor of the type `type`: the elements of `x` where `summands`, broadcast to this type, is not 0, and
/// zeros elsewhere. Does not multiply by 0, because the x of other ranks may be infinite.
static Value choose(RankSum &sum, RankedTensorType type, Value x, Value summands) {
  return MapOp::create(sum.b, sum.loc, type, ValueRange{x, summands}, [&](OpBuilder &b, ValueRange scalars) -> Value {
    Value zero = arith::ConstantOp::create(b, sum.loc, b.getZeroAttr(type.getElementType()));
    Value none = arith::ConstantOp::create(b, sum.loc, b.getF32FloatAttr(0));
    Value isSummand = arith::CmpFOp::create(b, sum.loc, arith::CmpFPredicate::ONE, scalars[1], none);
    return arith::SelectOp::create(b, sum.loc, isSummand, scalars[0], zero);
  });
}

/// Builds this rank's result of the scan of sum.x: the sum of the x of all earlier ranks or, with `reverse`, of all
/// later ranks. Each rank sends its whole x to all other ranks.
static Value scanWhole(RankSum &sum, bool reverse) {
  Value all = sum.gatherWhole();
  auto type = cast<RankedTensorType>(all.getType());
  DenseElementsAttr rows = summandsOf(sum.b, {sum.ranks, sum.ranks}, sum.ranks, reverse);
  Value table = arith::ConstantOp::create(sum.b, sum.loc, rows);
  Type row = RankedTensorType::get({1, sum.ranks}, sum.b.getF32Type());
  Value mine = AllSliceOp::create(sum.b, sum.loc, row, table, 0, sum.axes);
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape.front() = sum.ranks;
  Value summands = ReshapeOp::create(sum.b, sum.loc, RankedTensorType::get(shape, sum.b.getF32Type()), mine);
  sum.b.setInsertionPoint(sum.user);
  return sum.add(choose(sum, type, all, summands));
}

/// Builds this rank's result of the scan of sum.x, for which each rank computes one part of the results of all ranks.
/// So a rank sends twice as many bytes as its x has, whatever the number of ranks. x must have one dimension, whose
/// size is a multiple of the number of ranks.
static Value scanParts(RankSum &sum, bool reverse) {
  Value parts = sum.scatter(0); // ranks x elements of a part
  int64_t part = cast<RankedTensorType>(parts.getType()).getDimSize(1);
  sum.b.setInsertionPoint(sum.user);
  Value table =
      arith::ConstantOp::create(sum.b, sum.loc, summandsOf(sum.b, {sum.ranks, sum.ranks, 1}, sum.ranks, reverse));
  Value chosen = choose(sum, sum.type.clone({sum.ranks, sum.ranks, part}), parts, table);
  Value sums = ReduceOp::create(sum.b, sum.loc, sum.type.clone({sum.ranks, part}), Reduction::k_sum, chosen,
                                ArrayRef<int64_t>{1});
  return AllToAllOp::create(sum.b, sum.loc, sum.type.clone({1, sum.ranks * part}), sums, 0, 1, sum.axes);
}

static void expandScan(ScanStatesOp op) {
  RankSum sum(op, op.getX(), op.getAxes());
  Value y;
  if (sum.ranks > 2 && isLong(sum.type) && mayBeCut(sum)) {
    RankSum flat = sum.flattened();
    y = scanParts(flat, op.getReverse());
    sum.b.setInsertionPoint(sum.user);
    y = sum.reshape(y, sum.type.getShape());
  } else {
    y = scanWhole(sum, op.getReverse());
  }
  op.replaceAllUsesWith(y);
  op.erase();
}

namespace {
struct ExpandRankSumsPass : mlir::xf::impl::ExpandRankSumsPassBase<ExpandRankSumsPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto reduce = dyn_cast<AllReduceOp>(op))
        expandAllReduce(reduce);
      else if (auto scatter = dyn_cast<ReduceScatterOp>(op))
        expandReduceScatter(scatter);
      else if (auto scan = dyn_cast<ScanStatesOp>(op))
        expandScan(scan);
    });
  }
};
} // namespace
