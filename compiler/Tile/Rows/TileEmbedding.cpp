//===- TileEmbedding.cpp - Embedding lookup and its gradient --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles embeddings and their gradients. The gradient of a table adds, for each id, the rows of d_y at the positions
// that have this id, in their order. Every tile reads the ids of all positions, and owns a block of the table's rows
// and columns, so there are no atomics and no sort. If the op has an initial gradient, the sums start with it, in the
// same memory if nothing else reads it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xft/IR/XftRowsTile.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr int64_t columnsPerTile = 128; // of a table's gradient

/// Returns `rows`, and `ids` repeated along the columns, with merged outer dimensions.
static SmallVector<Buffer> rowsOfIds(HostBuilder &host, const Buffer &rows, const Buffer &ids) {
  SmallVector<Buffer> buffers = {rows, perRow(host, ids, rows.sizes.back())};
  mergeDimensions(host, buffers, 1);
  return buffers;
}

/// Returns a view of a table with `rank` dimensions: leading dimensions of size 1, then the rows and the columns.
static Buffer tableOperand(HostBuilder &host, Buffer table, int64_t rank) {
  table.sizes.insert(table.sizes.begin(), rank - 2, host.size(1));
  table.strides.insert(table.strides.begin(), rank - 2, host.size(0));
  return table;
}

static LogicalResult tileEmbedding(EmbeddingOp op, HostBuilder &host) {
  SmallVector<Buffer> rows = rowsOfIds(host, host.result(op.getY()), host.buffer(op.getIds()));
  RowLaunch launch(host, rows[0].sizes);
  RowOperand y = launch.operand(rows[0]), ids = launch.operand(rows[1]);
  RowOperand table = launch.operand(tableOperand(host, host.unitInner(host.buffer(op.getTable())), rows[0].rank()));
  unsigned tableRows = launch.count(host.sizes(op.getTable())[0]);
  launch.launch("embedding", [&](RowBody &body) {
    RowOperand row = body.chooseRow(table, body.loadIndex(ids, body.integerCount(tableRows)));
    body.map({row}, y, [](ScalarCode &, ValueRange e) { return e[0]; });
  });
  return success();
}

/// Initialises the gradient of a table with `initial` or, if that is null, with zeros.
static void startTable(HostBuilder &host, Value initial, const Buffer &table) {
  if (!initial)
    return tileFill(host, table, 0);
  Buffer from = host.buffer(initial);
  bool tookOver = from.root == table.root && from.offset == table.offset;
  if (!tookOver)
    copyElements(host, from, table);
}

static LogicalResult tileEmbeddingVjp(EmbeddingVjpOp op, HostBuilder &host) {
  Value initial = op.getInitial();
  Buffer result = host.resultOver(op.getDTable(), initial ? ValueRange(initial) : ValueRange()), sum = result;
  bool rounds = computedType(result.element) != result.element;
  if (rounds)
    sum = host.allocate(computedType(result.element), result.sizes);
  startTable(host, initial, sum);
  // Merges the places into one outer dimension, which defines the order in which they are added.
  Buffer dY = host.contiguous(host.buffer(op.getDY())), places = host.contiguous(host.buffer(op.getIds()));
  SmallVector<Buffer> rows = rowsOfIds(host, dY, places);
  RowLaunch launch(host, rows[0].sizes);
  RowOperand gradient = launch.operand(rows[0]), ids = launch.operand(rows[1]), table = launch.operand(sum);
  launch.setRowBlocks(host.model.tableBlocks(host, sum.sizes[0], host.ceilDiv(sum.sizes[1], columnsPerTile)));
  launch.cutColumns(columnsPerTile);
  unsigned tableRows = launch.count(sum.sizes[0]);
  launch.launch("embedding_vjp", [&](RowBody &body) {
    RowOperand row = body.chooseRow(table, body.loadIndex(ids, body.integerCount(tableRows)));
    body.map({row, gradient}, row, [](ScalarCode &code, ValueRange e) { return code.add(e[0], e[1]); });
  });
  if (rounds)
    copyElements(host, sum, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct EmbeddingModel : TileableModel<tileEmbedding, EmbeddingModel> {
  void narrowIdRange(Operation *op, Value, IdRange &range) const {
    range.within(cast<EmbeddingOp>(op).getTable(), 0, -1, 0);
  }
};

struct EmbeddingVjpModel : TileableModel<tileEmbeddingVjp, EmbeddingVjpModel> {
  void narrowIdRange(Operation *op, Value, IdRange &range) const {
    range.within(cast<EmbeddingVjpOp>(op).getDTable(), 0, -1, 0);
  }
};
} // namespace

void xf::attachEmbeddingTilings(MLIRContext &context) {
  EmbeddingOp::attachInterface<EmbeddingModel>(context);
  EmbeddingVjpOp::attachInterface<EmbeddingVjpModel>(context);
}
