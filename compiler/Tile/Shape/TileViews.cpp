//===- TileViews.cpp - Ops that only rename indices, and constants --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %y = xf.transpose %x permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// After:   no launch; readers of %y read the buffer of %x with the strides swapped
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

//===----------------------------------------------------------------------===//
// xf.slice
//===----------------------------------------------------------------------===//

static Sizes offsetsOf(SliceOp op, HostBuilder &host) {
  Sizes offsets;
  for (const SizeExpression &offset : positionsOf(op.getOffsets(), op.getStartsAttr()))
    offsets.push_back(host.evaluate(offset));
  return offsets;
}

static LogicalResult tileSlice(SliceOp op, HostBuilder &host) {
  Sizes offsets = offsetsOf(op, host), sizes = host.sizes(op.getY());
  host.alias(op.getY(), host.sliced(host.buffer(op.getX()), offsets, sizes, op.getStrides()));
  return success();
}

namespace {
struct SliceModel : TileableModel<tileSlice, SliceModel> {
  /// Requires that the slice lies within x. A slice takes all elements from its offset on along a dynamic dimension
  /// without a listed size, and may be empty. There, requires only that the offset is at most the size of x.
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<SliceOp>(base);
    Sizes x = host.sizes(op.getX()), offsets = offsetsOf(op, host);
    SizeExpressions starts = positionsOf(op.getOffsets(), op.getStartsAttr());
    for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape())) {
      if (int64_t places = (size - 1) * op.getStrides()[d] + 1; !ShapedType::isDynamic(size) && size > 0)
        nameAtMost(host, starts[d] + SizeExpression(places), op.getX(), d);
      else if (const SizeExpressions *counts = host.expressions(op.getY()); op.getSizes() && op.getStrides()[d] == 1)
        nameAtMost(host, starts[d] + (counts ? (*counts)[d] : SizeExpression(0)), op.getX(), d);
      bool isRest = ShapedType::isDynamic(size) && !op.getSizes();
      Size count = !isRest && ShapedType::isDynamic(size) ? host.sizes(op.getY())[d] : host.size(size);
      Size end = isRest ? offsets[d] : endOf(host, offsets[d], op.getStrides()[d], count);
      if (failed(requireAtMost(host, end, x[d])))
        return failure();
    }
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// xf.broadcast
//===----------------------------------------------------------------------===//

static LogicalResult tileBroadcast(BroadcastOp op, HostBuilder &host) {
  Buffer view = host.buffer(op.getX());
  Sizes sizes = host.sizes(op.getY());
  int64_t added = sizes.size() - view.rank();
  view.sizes.insert(view.sizes.begin(), added, host.size(1));
  view.strides.insert(view.strides.begin(), added, host.size(0));
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (HostBuilder::constant(view.sizes[d]) != 1 || HostBuilder::constant(size) == 1)
      continue;
    view.sizes[d] = size;
    view.strides[d] = host.size(0);
  }
  host.alias(op.getY(), view);
  return success();
}

namespace {
struct BroadcastModel : TileableModel<tileBroadcast, BroadcastModel> {
  /// Requires that each size of x equals the size of the result, except for a static 1, because only a dimension of
  /// static size 1 is repeated.
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<BroadcastOp>(base);
    Sizes x = host.sizes(op.getX()), y = host.sizes(op.getY());
    for (auto [from, to] : llvm::zip(llvm::reverse(x), llvm::reverse(y)))
      if (HostBuilder::constant(from) != 1 && failed(host.requireEqual(from, to)))
        return failure();
    return success();
  }
  void narrowIdRange(Operation *op, Value, IdRange &range) const { range.follow(op->getResult(0)); }
};
} // namespace

//===----------------------------------------------------------------------===//
// xf.reshape and xf.transpose
//===----------------------------------------------------------------------===//

static LogicalResult tileReshape(ReshapeOp op, HostBuilder &host) {
  Sizes sizes = host.sizes(op.getY());
  if (failed(host.requireEqualElements(op.getX(), op.getY())))
    return failure();
  Buffer view = host.contiguous(host.buffer(op.getX()));
  view.sizes = sizes;
  view.strides = host.rowMajorStrides(sizes);
  host.alias(op.getY(), view);
  return success();
}

static LogicalResult tileTranspose(TransposeOp op, HostBuilder &host) {
  host.alias(op.getY(), host.permuted(host.buffer(op.getX()), op.getPermutation()));
  return success();
}

namespace {
struct ReshapeModel : TileableModel<tileReshape, ReshapeModel> {
  LogicalResult requireSizes(Operation *, HostBuilder &) const { return success(); } // numbers of elements, in `tile`
  void narrowIdRange(Operation *op, Value, IdRange &range) const { range.follow(op->getResult(0)); }
};

struct TransposeModel : TileableModel<tileTranspose, TransposeModel> {
  void narrowIdRange(Operation *op, Value, IdRange &range) const { range.follow(op->getResult(0)); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

static LogicalResult tileSplitHeads(SplitHeadsOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX());
  Size width = host.floorDiv(x.sizes[2], op.getHeads());
  host.alias(op.getY(), host.permuted(host.split(x, 2, width), {0, 2, 1, 3}));
  return success();
}

static LogicalResult tileMergeHeads(MergeHeadsOp op, HostBuilder &host) {
  Buffer tokens = host.permuted(host.buffer(op.getX()), {0, 2, 1, 3});
  FailureOr<Buffer> merged = host.collapsed(tokens, 2, 3);
  if (failed(merged))
    merged = host.collapsed(host.contiguous(tokens), 2, 3);
  host.alias(op.getY(), *merged);
  return success();
}

//===----------------------------------------------------------------------===//
// xf.after and arith.constant
//===----------------------------------------------------------------------===//

static LogicalResult tileAfter(AfterOp op, HostBuilder &host) {
  host.alias(op.getY(), host.buffer(op.getX()));
  return success();
}

static LogicalResult tileConstant(arith::ConstantOp op, HostBuilder &host) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.emitError("expected a dense tensor constant, got ") << op.getValue();
  host.alias(op.getResult(), host.constantBuffer(elements));
  return success();
}

namespace {
struct AfterModel : TileableModel<tileAfter, AfterModel> {
  void narrowIdRange(Operation *base, Value ids, IdRange &range) const {
    if (auto op = cast<AfterOp>(base); op.getX() == ids)
      range.follow(op.getY());
  }
};

struct ConstantModel : TileableModel<tileConstant, ConstantModel> {
  LogicalResult requireSizes(Operation *, HostBuilder &) const { return success(); } // its type is static
};
} // namespace

void xf::attachViewTilings(MLIRContext &context) {
  SliceOp::attachInterface<SliceModel>(context);
  BroadcastOp::attachInterface<BroadcastModel>(context);
  ReshapeOp::attachInterface<ReshapeModel>(context);
  TransposeOp::attachInterface<TransposeModel>(context);
  attachTiling<tileSplitHeads>(context);
  attachTiling<tileMergeHeads>(context);
  AfterOp::attachInterface<AfterModel>(context);
  arith::ConstantOp::attachInterface<ConstantModel>(context);
}
