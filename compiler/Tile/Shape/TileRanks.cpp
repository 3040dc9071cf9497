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
// Tiles ops between ranks. In the received buffer, the data of all ranks are in the order of ranks. Dimensions with
// zigzag chunks (#xf.sharding) are then copied to the order of tokens. xf.exchange_rows needs no such copy, because it
// receives keys at their final places.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "runtime/pieces/Zigzag.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;
using Kind = xft::CollectiveKind;

namespace {
/// The attributes of an xft.collective and its operands, except for the two buffers. Members have the names that the op
/// gives them.
struct Collective {
  Kind kind;
  ArrayAttr axes;
  int64_t split, join;
  Value queries = {}, segmentsQ = {}, segmentsK = {};
  DenseI64ArrayAttr plan = {};
};

/// The division of dimension `dim` into zigzag chunks: `chunks` of them for each of `ranks` ranks.
struct Zigzag {
  int64_t dim, ranks, chunks;
};
} // namespace

/// Appends a collective that sends `x` and receives `y`, and the wait for it.
static LogicalResult tileCollective(HostBuilder &host, const Buffer &x, const Buffer &y, const Collective &op) {
  Value send = host.memref(host.contiguous(x));
  Buffer received = y;
  bool isRun = HostBuilder::constant(y.offset) == 0 && y.strides == host.rowMajorStrides(y.sizes);
  if (!isRun) // a view of the result of a consumer
    received = host.allocate(y.element, y.sizes);
  auto ticket = xft::TicketType::get(host.b.getContext());
  auto collective = xft::CollectiveOp::create(host.b, host.loc, ticket, op.kind, op.axes, send, host.memref(received),
                                              op.split, op.join, op.queries, op.segmentsQ, op.segmentsK, op.plan);
  xft::WaitOp::create(host.b, host.loc, collective.getTicket());
  if (!isRun)
    tileCopy(host, received, y);
  return success();
}

/// Copies chunks from `whole` to `byRanks` if `isSplit`, else from `byRanks` to `whole`. `whole` has the chunks in the
/// order of tokens. `byRanks` has all chunks of rank 0, then all chunks of rank 1, and so on.
static void tileZigzag(HostBuilder &host, const Buffer &byRanks, const Buffer &whole, const Zigzag &zigzag,
                       bool isSplit) {
  const auto [dim, ranks, chunks] = zigzag;
  Size length = host.floorDiv(whole.sizes[dim], ranks * chunks);
  Sizes sizes = whole.sizes;
  sizes[dim] = length;
  auto chunkOf = [&](const Buffer &buffer, int64_t number) {
    Sizes offsets(sizes.size(), host.size(0));
    offsets[dim] = host.mul(length, host.size(number));
    return host.sliced(buffer, offsets, sizes, SmallVector<int64_t>(sizes.size(), 1));
  };
  for (int64_t rank = 0; rank < ranks; ++rank)
    for (int64_t turn = 0; turn < chunks; ++turn) {
      Buffer inOrder = chunkOf(whole, xfrt::zigzagChunk(turn, rank, ranks));
      Buffer own = chunkOf(byRanks, rank * chunks + turn);
      tileCopy(host, isSplit ? inOrder : own, isSplit ? own : inOrder);
    }
}

template <typename OpTy>
static Zigzag zigzagOf(OpTy op) {
  return {int64_t(op.getDim()), ranksOf(meshOf(op), op.getAxes()), int64_t(op.getChunks())};
}

static LogicalResult tileAllGather(AllGatherOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), y = host.result(op.getY()), received = y;
  if (op.getChunks() > 1)
    received = host.allocate(y.element, y.sizes);
  if (failed(tileCollective(host, x, received, {Kind::all_gather, op.getAxes(), 0, int64_t(op.getDim())})))
    return failure();
  if (op.getChunks() > 1)
    tileZigzag(host, received, y, zigzagOf(op), /*isSplit=*/false);
  return success();
}
static LogicalResult tileAllSlice(AllSliceOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX()), sent = x;
  if (op.getChunks() > 1) {
    sent = host.allocate(x.element, x.sizes);
    tileZigzag(host, sent, x, zigzagOf(op), /*isSplit=*/true);
  }
  return tileCollective(host, sent, host.result(op.getY()), {Kind::all_slice, op.getAxes(), int64_t(op.getDim()), 0});
}
static LogicalResult tileAllToAll(AllToAllOp op, HostBuilder &host) {
  Buffer x = host.buffer(op.getX());
  return tileCollective(host, x, host.result(op.getY()),
                        {Kind::all_to_all, op.getAxes(), int64_t(op.getSplit()), int64_t(op.getJoin())});
}

/// The dimension of queries and of keys in q, k and v.
static constexpr int64_t keyDim = 2;

template <typename OpTy>
static LogicalResult tileKeys(OpTy op, HostBuilder &host) {
  Value queries = host.value(host.sizes(op.getQ())[keyDim]);
  Kind kind = std::is_same_v<OpTy, ExchangeRowsOp> ? Kind::exchange : Kind::return_reduce;
  Buffer x = host.buffer(op.getX());
  auto numbers = [&](Value segments) {
    return segments ? host.memref(host.contiguous(host.buffer(segments))) : Value();
  };
  return tileCollective(host, x, host.result(op.getY()),
                        {kind, op.getAxes(), keyDim, keyDim, queries, numbers(op.getSegmentsQ()),
                         numbers(op.getSegmentsK()), op.getPlanAttr()});
}
static LogicalResult tileExchangeRows(ExchangeRowsOp op, HostBuilder &host) { return tileKeys(op, host); }
static LogicalResult tileReturnReduce(ReturnReduceOp op, HostBuilder &host) { return tileKeys(op, host); }

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Requires that the segments of queries have one element for each query of all ranks, and the segments of keys one for
/// each of `keys` keys.
template <typename OpTy>
static LogicalResult requireSegments(OpTy op, HostBuilder &host, Size keys) {
  Sizes q = host.sizes(op.getQ());
  Size queries = host.mul(q[keyDim], host.size(ranksOf(meshOf(op), op.getAxes())));
  return failure(failed(requireSizes(host, op.getSegmentsQ(), {q[0], queries})) ||
                 failed(requireSizes(host, op.getSegmentsK(), {q[0], keys})));
}

namespace {
struct AllSliceModel : TileableModel<tileAllSlice, AllSliceModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AllSliceOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    int64_t chunks = ranksOf(meshOf(op), op.getAxes()) * op.getChunks();
    return requireMultiple(host, host.sizes(op.getX())[op.getDim()], host.size(chunks));
  }
};

struct AllGatherModel : TileableModel<tileAllGather, AllGatherModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AllGatherOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    return requireMultiple(host, host.sizes(op.getX())[op.getDim()], host.size(op.getChunks()));
  }
};

struct ExchangeRowsModel : TileableModel<tileExchangeRows, ExchangeRowsModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<ExchangeRowsOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    Size chunks = host.size(op.getPlan().front());
    Size keys = host.sizes(op.getX())[keyDim];
    if (failed(requireMultiple(host, host.sizes(op.getQ())[keyDim], chunks)) ||
        failed(requireMultiple(host, keys, chunks)))
      return failure();
    return requireSegments(op, host, host.mul(keys, host.size(ranksOf(meshOf(op), op.getAxes()))));
  }
};

struct ReturnReduceModel : TileableModel<tileReturnReduce, ReturnReduceModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<ReturnReduceOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    Size keys = host.sizes(op.getX())[keyDim];
    if (failed(requireMultiple(host, keys, host.size(ranksOf(meshOf(op), op.getAxes())))))
      return failure();
    return requireSegments(op, host, keys);
  }
};

struct AllToAllModel : TileableModel<tileAllToAll, AllToAllModel> {
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AllToAllOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    return requireMultiple(host, host.sizes(op.getX())[op.getSplit()], host.size(ranksOf(meshOf(op), op.getAxes())));
  }
};
} // namespace

void xf::attachRankTilings(MLIRContext &context) {
  AllSliceOp::attachInterface<AllSliceModel>(context);
  AllGatherOp::attachInterface<AllGatherModel>(context);
  AllToAllOp::attachInterface<AllToAllModel>(context);
  ExchangeRowsOp::attachInterface<ExchangeRowsModel>(context);
  ReturnReduceOp::attachInterface<ReturnReduceModel>(context);
}
