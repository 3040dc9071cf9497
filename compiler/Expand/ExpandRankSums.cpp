//===- ExpandRankSums.cpp - Sums of ranks as messages and kernels ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = xf.all_reduce %x over ["data"] : tensor<6xf32>                       two ranks
// ->
//   %r = xf.reshape %x : tensor<6xf32> to tensor<1x6xf32>
//   %g = xf.all_gather %r dim 0 over ["data"] : tensor<1x6xf32> to tensor<2x6xf32>
//   %y = xf.reduce sum %g axes [0] : tensor<2x6xf32> -> tensor<6xf32>         before the first op that reads it
//
// Messages move bytes, and kernels add, on every device: in the order of ranks, so that all have the same bits, and on
// all threads. Of a long sum of more than two ranks each makes a part (xf.all_to_all), and the parts are gathered: then
// a rank sends twice what it has, not once to every other.
//
// In the order `keys` they add in pairs, (x0 + x1) + (x2 + x3), as each rank has added its own slices. Ranks that are
// no power of two have no such order, and share nothing but counts, which are exact (SliceSums.cpp).
//
// Runs when the shares of ranks are known, before ops become launches. What adds stands as late as it may: what runs
// before it overlaps with the messages (-xf-sink-waits).
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

/// Sums with at most as many bytes are sent whole: a second exchange would cost more than the bytes it spares.
static constexpr int64_t mostWholeBytes = 16 << 10;

namespace {
/// Builds the ops of one sum: messages where the sum is, the rest before its first use.
struct RankSum {
  RankSum(Operation *op, Value x, ArrayAttr axes);

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

/// Returns the first op of the block in or below which a result of `op` is used.
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

/// Returns the x of every rank, one behind the other.
Value RankSum::gatherWhole() {
  Value row = reshape(x, withFront(1, type.getShape()));
  Type all = type.clone(withFront(ranks, type.getShape()));
  return AllGatherOp::create(b, loc, all, row, 0, axes);
}

/// Returns the same of this rank's part of dimension `dim` alone.
Value RankSum::scatter(int64_t dim) {
  Value row = reshape(x, withFront(1, type.getShape()));
  SmallVector<int64_t> shape = withFront(ranks, type.getShape());
  if (!ShapedType::isDynamic(shape[dim + 1]))
    shape[dim + 1] /= ranks;
  return AllToAllOp::create(b, loc, type.clone(shape), row, dim + 1, 0, axes);
}

/// Adds neighbours, then neighbours of these sums, and so on; the number of ranks is a power of two.
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

/// Adds what scatter or gatherWhole has returned, before the first use of the sum.
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

/// Returns the first dimension whose size is known and divided by the ranks, or nothing.
static std::optional<int64_t> dividedDim(RankedTensorType type, int64_t ranks) {
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size) && size > 0 && size % ranks == 0)
      return dim;
  return std::nullopt;
}

static void expandAllReduce(AllReduceOp op) {
  RankSum sum(op, op.getX(), op.getAxes());
  const bool isStatic = sum.type.hasStaticShape();
  const int64_t count = isStatic ? sum.type.getNumElements() : 0;
  const bool isLong = !isStatic || count * sum.type.getElementTypeBitWidth() / 8 > mostWholeBytes;
  Value y;
  if (sum.ranks == 1) {
    y = op.getX();
  } else if (sum.ranks > 2 && isLong && isStatic && count % sum.ranks == 0) { // parts of all elements, in order
    RankSum flat = sum;
    flat.x = sum.reshape(op.getX(), {count});
    flat.type = cast<RankedTensorType>(flat.x.getType());
    y = flat.gather(flat.add(flat.scatter(0)), 0);
    sum.b.setInsertionPoint(sum.user);
    y = sum.reshape(y, sum.type.getShape());
  } else if (std::optional<int64_t> dim = dividedDim(sum.type, sum.ranks); sum.ranks > 2 && isLong && dim) {
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

namespace {
struct ExpandRankSumsPass : mlir::xf::impl::ExpandRankSumsPassBase<ExpandRankSumsPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto reduce = dyn_cast<AllReduceOp>(op))
        expandAllReduce(reduce);
      else if (auto scatter = dyn_cast<ReduceScatterOp>(op))
        expandReduceScatter(scatter);
    });
  }
};
} // namespace
