//===- TileShapes.cpp - Concatenation, padding, layer stacks --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles ops that rearrange elements: each becomes copies to or from views. Ops that only rename indices become views
// themselves (TileViews.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Ops/XfSelectionOps.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

static LogicalResult tileConcat(ConcatOp op, HostBuilder &host) {
  Buffer y = host.result(op.getY());
  SmallVector<Size> offsets(y.rank(), host.size(0));
  SmallVector<int64_t> steps(y.rank(), 1);
  Size &place = offsets[op.getAxis()];
  for (Value input : op.getInputs()) {
    Buffer x = host.buffer(input), part = host.sliced(y, offsets, x.sizes, steps);
    if (x.root != part.root || x.offset != part.offset ||
        x.strides != part.strides) // else x was written there directly
      copyElements(host, x, part);
    place = host.add(place, x.sizes[op.getAxis()]);
  }
  return success();
}

static Sizes evaluate(HostBuilder &host, ArrayRef<SizeExpression> positions) {
  return llvm::map_to_vector(positions, [&](const SizeExpression &position) { return host.evaluate(position); });
}
static Sizes lowEnds(PadOp op, HostBuilder &host) {
  return evaluate(host, positionsOf(op.getLow(), op.getStartsAttr()));
}
static Sizes offsetsOf(AddAtOp op, HostBuilder &host) {
  return evaluate(host, positionsOf(op.getOffsets(), op.getStartsAttr()));
}

static LogicalResult tilePad(PadOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), y = host.result(op.getY());
  tileFill(host, y, 0);
  SmallVector<Size> offsets = lowEnds(op, host);
  copyElements(host, x, host.sliced(y, offsets, x.sizes, op.getStrides()));
  return success();
}

static LogicalResult tileAddAt(AddAtOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), y = host.resultOver(op.getY(), {op.getInitial()});
  if (!host.holds(y, op.getInitial()))
    tileCopy(host, host.buffer(op.getInitial()), y);
  Buffer part = host.sliced(y, offsetsOf(op, host), x.sizes, op.getStrides());
  launchElementwise(host, "add_at", {part, x}, {part}, [](RowBody &, ScalarCode &code, ValueRange e) {
    bool isReal = isa<FloatType>(e[0].getType());
    return SmallVector<Value>{isReal ? code.add(e[0], e[1])
                                     : Value(arith::AddIOp::create(code.b, code.loc, e[0], e[1]))};
  });
  return success();
}

/// Returns layer `layer` of `stacked` [B, N layers, d] as a view [B, N, d].
static Buffer layerOf(HostBuilder &host, const Buffer &stacked, int64_t layers, int64_t layer) {
  Buffer view = host.split(stacked, 1, host.size(layers));
  view.offset = host.add(view.offset, host.mul(host.size(layer), view.strides[2]));
  view.sizes.erase(view.sizes.begin() + 2);
  view.strides.erase(view.strides.begin() + 2);
  return view;
}

static LogicalResult tileStackLayers(StackLayersOp op, HostBuilder &host) {
  Buffer y = host.result(op.getY());
  for (auto [layer, x] : llvm::enumerate(op.getLayers()))
    copyElements(host, host.buffer(x), layerOf(host, y, op.getLayers().size(), layer));
  return success();
}

static LogicalResult tilePoolLayers(PoolLayersOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), y = host.result(op.getY());
  int64_t layers = op.getLayers();
  if (op.getKind() == Pool::k_last)
    copyElements(host, layerOf(host, x, layers, layers - 1), y);
  else
    tileReduction(host, host.split(x, 1, host.size(layers)), {2},
                  op.getKind() == Pool::k_max ? xft::Combiner::max : xft::Combiner::add, op.getKind() == Pool::k_mean,
                  y);
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct AddAtModel : TileableModel<tileAddAt, AddAtModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AddAtOp>(base);
    Sizes x = host.sizes(op.getX()), y = host.sizes(op.getY()), offsets = offsetsOf(op, host);
    for (size_t d = 0; d < y.size(); ++d)
      if (failed(requireAtMost(host, endOf(host, offsets[d], op.getStrides()[d], x[d]), y[d])))
        return failure();
    return success();
  }
};

struct PadModel : TileableModel<tilePad, PadModel> {
  /// Requires that the result has room for x. A dynamic dimension without a listed size always has room, because its
  /// size follows from x: it ends with the last element of x.
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<PadOp>(base);
    Sizes x = host.sizes(op.getX()), y = host.sizes(op.getY()), low = lowEnds(op, host);
    for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape()))
      if ((!ShapedType::isDynamic(size) || op.getSizes()) &&
          failed(requireAtMost(host, endOf(host, low[d], op.getStrides()[d], x[d]), y[d])))
        return failure();
    return success();
  }
};
} // namespace

void xf::attachShapeTilings(MLIRContext &context) {
  attachTiling<tileConcat>(context);
  AddAtOp::attachInterface<AddAtModel>(context);
  PadOp::attachInterface<PadModel>(context);
  attachTiling<tileStackLayers>(context);
  attachTiling<tilePoolLayers>(context);
}
