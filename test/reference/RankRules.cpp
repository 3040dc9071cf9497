//===- RankRules.cpp - What ranks send each other -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All ranks run the same ops, so that an op of several is evaluated for all of them at once. Sums of a group are taken
// in the order of its ranks.
//
//===----------------------------------------------------------------------===//

#include "test/reference/RankRules.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

bool reference::isRankOp(Operation *op) {
  return isa<AllReduceOp, ScanStatesOp, ReduceScatterOp, AllGatherOp, AllSliceOp, AllToAllOp, ExchangeRowsOp,
             ReturnReduceOp>(op);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The ranks whose places differ from that of `rank` in the axes alone, in their order.
static SmallVector<int64_t> groupOf(MeshAttr mesh, ArrayAttr axes, int64_t rank) {
  auto placesOf = [&](int64_t number) {
    SmallVector<int64_t> places = coordinates(number, mesh.getSizes());
    for (auto [axis, place] : llvm::zip(mesh.getAxes(), places))
      place = llvm::is_contained(axes, axis) ? 0 : place;
    return places;
  };
  SmallVector<int64_t> group;
  for (int64_t other = 0; other < count(mesh.getSizes()); ++other)
    if (placesOf(other) == placesOf(rank))
      group.push_back(other);
  return group;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The place in a dimension of an element of a part, of which a chunk has `length`.
static int64_t placeOf(int64_t element, int64_t part, int64_t parts, int64_t length) {
  int64_t turn = element / length;
  int64_t chunk = turn % 2 == 0 ? turn * parts + part : (turn + 1) * parts - 1 - part;
  return chunk * length + element % length;
}

Tensor reference::partOf(const Tensor &tensor, int64_t dim, int64_t part, int64_t parts, int64_t chunks) {
  SmallVector<int64_t> shape(tensor.shape);
  shape[dim] /= parts;
  Tensor result = Tensor::zeros(tensor.elementType, shape);
  for (int64_t n = 0; n < result.size(); ++n) {
    SmallVector<int64_t> at = coordinates(n, shape);
    at[dim] = placeOf(at[dim], part, parts, shape[dim] / chunks);
    int64_t from = linearIndex(at, tensor.shape);
    if (tensor.isReal())
      result.reals[n] = tensor.reals[from];
    else
      result.integers[n] = tensor.integers[from];
  }
  return result;
}

static Tensor joined(ArrayRef<Tensor> parts, int64_t dim, int64_t chunks = 1) {
  int64_t count = int64_t(parts.size());
  SmallVector<int64_t> shape(parts.front().shape);
  shape[dim] *= count;
  Tensor result = Tensor::zeros(parts.front().elementType, shape);
  for (auto [part, tensor] : llvm::enumerate(parts))
    for (int64_t n = 0; n < tensor.size(); ++n) {
      SmallVector<int64_t> at = coordinates(n, tensor.shape);
      at[dim] = placeOf(at[dim], int64_t(part), count, tensor.shape[dim] / chunks);
      int64_t to = linearIndex(at, shape);
      if (result.isReal())
        result.reals[to] = tensor.reals[n];
      else
        result.integers[to] = tensor.integers[n];
    }
  return result;
}

static Tensor sumOf(ArrayRef<Tensor> summands) {
  Tensor sum = summands.front();
  for (const Tensor &summand : summands.drop_front())
    for (auto [y, x] : llvm::zip(sum.reals, summand.reals))
      y += x;
  return sum;
}

/// The sum of the operands of members before `own`, or behind it.
static Tensor sumOfOthers(ArrayRef<Tensor> group, int64_t own, bool behind) {
  Tensor sum = Tensor::zeros(group.front().elementType, group.front().shape);
  for (const Tensor &summand : behind ? group.drop_front(own + 1) : group.take_front(own))
    for (auto [y, x] : llvm::zip(sum.reals, summand.reals))
      y += x;
  return sum;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The dimension of keys. Rows that no pair uses are undefined here too, or add nothing.
static constexpr int64_t keyDim = 2;

/// The result on member `own` of a group, from the operands of all its members.
static Tensor resultOf(Operation *op, ArrayRef<Tensor> group, int64_t own) {
  int64_t parts = group.size();
  return TypeSwitch<Operation *, Tensor>(op)
      .Case([&](AllReduceOp) { return sumOf(group); })
      .Case([&](ScanStatesOp scan) { return sumOfOthers(group, own, scan.getReverse()); })
      .Case([&](ReduceScatterOp scatter) { return partOf(sumOf(group), scatter.getDim(), own, parts); })
      .Case([&](AllGatherOp gather) { return joined(group, gather.getDim(), gather.getChunks()); })
      .Case([&](AllSliceOp slice) { return partOf(group[own], slice.getDim(), own, parts, slice.getChunks()); })
      .Case([&](ExchangeRowsOp rows) { return joined(group, keyDim, rows.getPlan().front()); })
      .Case([&](ReturnReduceOp rows) { return partOf(sumOf(group), keyDim, own, parts, rows.getPlan().front()); })
      .Case([&](AllToAllOp exchange) {
        auto received = llvm::map_to_vector(
            group, [&](const Tensor &sent) { return partOf(sent, exchange.getSplit(), own, parts); });
        return joined(received, exchange.getJoin());
      });
}

/// Fails after an error where ranks have tensors of different shapes, or of a size that they do not divide.
static LogicalResult verifyGroup(Operation *op, ArrayRef<Tensor> group) {
  for (const Tensor &tensor : group)
    if (tensor.shape != group.front().shape)
      return op->emitError("expected ranks with tensors of one shape, got [")
             << group.front().shape << "] and [" << tensor.shape << "]";
  int64_t split = -1;
  if (auto exchange = dyn_cast<AllToAllOp>(op))
    split = exchange.getSplit();
  else if (isa<ReturnReduceOp>(op))
    split = keyDim;
  else if (isa<ReduceScatterOp, AllSliceOp>(op))
    split = op->getAttrOfType<IntegerAttr>("dim").getInt();
  if (split >= 0 && group.front().shape[split] % int64_t(group.size()) != 0)
    return op->emitError("expected a size that ")
           << group.size() << " ranks divide, got " << group.front().shape[split];
  return success();
}

LogicalResult reference::evaluateTogether(Operation *op, MutableArrayRef<Frame> ranks) {
  MeshAttr mesh = meshOf(op);
  auto axes = op->getAttrOfType<ArrayAttr>("axes");
  for (auto [rank, frame] : llvm::enumerate(ranks)) {
    SmallVector<int64_t> members = groupOf(mesh, axes, int64_t(rank));
    auto group = llvm::map_to_vector(members, [&](int64_t member) { return ranks[member][op->getOperand(0)]; });
    if (failed(verifyGroup(op, group)))
      return failure();
    frame.set(op->getResult(0), resultOf(op, group, llvm::find(members, int64_t(rank)) - members.begin()));
  }
  return success();
}
