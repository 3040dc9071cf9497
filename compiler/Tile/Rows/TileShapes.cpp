//===- TileShapes.cpp - Concatenation, padding, layer stacks --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op becomes copies to or from views; ops that only rename indices are views already (TileProgram.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Rows/TileRows.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::tileConcat(ConcatOp op, HostBuilder &host) {
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

LogicalResult xf::tilePad(PadOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), y = host.result(op.getY());
  tileFill(host, y, 0);
  SmallVector<Size> offsets = llvm::map_to_vector(op.getLow(), [&](int64_t low) { return Size(host.size(low)); });
  copyElements(host, x, host.sliced(y, offsets, x.sizes, op.getStrides()));
  return success();
}

/// Returns layer `layer` of a tensor B x (N layers) x d as a view B x N x d.
static Buffer layerOf(HostBuilder &host, const Buffer &stacked, int64_t layers, int64_t layer) {
  Buffer view = host.split(stacked, 1, host.size(layers));
  view.offset = host.add(view.offset, host.mul(host.size(layer), view.strides[2]));
  view.sizes.erase(view.sizes.begin() + 2);
  view.strides.erase(view.strides.begin() + 2);
  return view;
}

LogicalResult xf::tileStackLayers(StackLayersOp op, HostBuilder &host) {
  Buffer y = host.result(op.getY());
  for (auto [layer, x] : llvm::enumerate(op.getLayers()))
    copyElements(host, host.buffer(x), layerOf(host, y, op.getLayers().size(), layer));
  return success();
}

LogicalResult xf::tilePoolLayers(PoolLayersOp op, HostBuilder &host) {
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
