//===- TileRanks.cpp - What ranks send each other -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %y = xf.all_gather %x dim 0 over ["sequence"] : tensor<2x3xf32> to tensor<4x3xf32>
// After:   %ticket = xft.collective all_gather over ["sequence"] %x, %y : memref<2x3xf32>, memref<4x3xf32>
//          xft.wait %ticket
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;
using Kind = xft::CollectiveKind;

/// Appends a collective and the wait for it.
static LogicalResult tileCollective(Operation *op, HostBuilder &host, Kind kind, ArrayAttr axes, int64_t split = 0,
                                    int64_t join = 0) {
  Value send = host.memref(host.contiguous(host.buffer(op->getOperand(0))));
  Buffer y = host.result(op->getResult(0)), received = y;
  bool isRun = HostBuilder::constant(y.offset) == 0 && y.strides == host.rowMajorStrides(y.sizes);
  if (!isRun) // a view of the result of a consumer
    received = host.allocate(y.element, y.sizes);
  auto ticket = xft::TicketType::get(host.b.getContext());
  auto collective =
      xft::CollectiveOp::create(host.b, host.loc, ticket, kind, axes, send, host.memref(received), split, join,
                                /*plan=*/IntegerAttr());
  xft::WaitOp::create(host.b, host.loc, collective.getTicket());
  if (!isRun)
    tileCopy(host, received, y);
  return success();
}

static LogicalResult tileAllGather(AllGatherOp op, HostBuilder &host) {
  return tileCollective(op, host, Kind::all_gather, op.getAxes(), 0, op.getDim());
}
static LogicalResult tileAllSlice(AllSliceOp op, HostBuilder &host) {
  return tileCollective(op, host, Kind::all_slice, op.getAxes(), op.getDim());
}
static LogicalResult tileAllToAll(AllToAllOp op, HostBuilder &host) {
  return tileCollective(op, host, Kind::all_to_all, op.getAxes(), op.getSplit(), op.getJoin());
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Returns the number of ranks along axes of the mesh.
static int64_t ranksAlong(Operation *op, ArrayAttr axes) {
  int64_t ranks = 1;
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= *meshOf(op).getSize(axis.getValue());
  return ranks;
}

/// Divides a size by a number of ranks, of which it is a multiple.
static void divideSize(HostBuilder &host, Size &size, int64_t ranks) { size = host.floorDiv(size, ranks); }

namespace {
struct AllSliceModel : TileableModel<tileAllSlice, AllSliceModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AllSliceOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    return requireMultiple(host, host.sizes(op.getX())[op.getDim()], host.size(ranksAlong(op, op.getAxes())));
  }
  Sizes resultSizes(Operation *base, HostBuilder &host, OpResult) const {
    auto op = cast<AllSliceOp>(base);
    Sizes sizes = host.sizes(op.getX());
    divideSize(host, sizes[op.getDim()], ranksAlong(op, op.getAxes()));
    return sizes;
  }
};

struct AllGatherModel : TileableModel<tileAllGather, AllGatherModel> {
  Sizes resultSizes(Operation *base, HostBuilder &host, OpResult) const {
    auto op = cast<AllGatherOp>(base);
    Sizes sizes = host.sizes(op.getX());
    sizes[op.getDim()] = host.mul(sizes[op.getDim()], host.size(ranksAlong(op, op.getAxes())));
    return sizes;
  }
};

struct AllToAllModel : TileableModel<tileAllToAll, AllToAllModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AllToAllOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    return requireMultiple(host, host.sizes(op.getX())[op.getSplit()], host.size(ranksAlong(op, op.getAxes())));
  }
  Sizes resultSizes(Operation *base, HostBuilder &host, OpResult) const {
    auto op = cast<AllToAllOp>(base);
    int64_t ranks = ranksAlong(op, op.getAxes());
    Sizes sizes = host.sizes(op.getX());
    divideSize(host, sizes[op.getSplit()], ranks);
    sizes[op.getJoin()] = host.mul(sizes[op.getJoin()], host.size(ranks));
    return sizes;
  }
};
} // namespace

void xf::attachRankTilings(MLIRContext &context) {
  AllSliceOp::attachInterface<AllSliceModel>(context);
  AllGatherOp::attachInterface<AllGatherModel>(context);
  AllToAllOp::attachInterface<AllToAllModel>(context);
}
