//===- XftAttendLanesOps.cpp - Short residues in lanes: verification ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftAttendScratch.h"
#include "dialects/xft/IR/XftOps.h"

using namespace mlir;
using namespace mlir::xft;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

static LogicalResult verifyMatrices(Operation *op, ValueRange matrices) {
  for (Value matrix : matrices)
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return op->emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << matrix.getType();
  return success();
}

template <typename OpTy>
static LogicalResult verifyPiece(OpTy op) {
  LaneTileAttr tile = op.getTile();
  xf::PieceAttr piece = op.getPiece();
  if (!piece.hasAdjacentResidues() || piece.getResidues() < tile.getLanes())
    return op.emitOpError("expected queries and keys r, r + R, .. of at least ")
           << tile.getLanes() << " residues, got " << piece;
  if (tile.getRows() < 1 || tile.getKeys() < 1 || tile.getLanes() < 2 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getRanks() % tile.getKeys() != 0)
    return op.emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  return success();
}

LogicalResult AttendLanesOp::verify() {
  if (failed(verifyMatrices(*this, {getQ(), getK(), getV(), getO()})))
    return failure();
  if (getSave() && getSums().size() != 2)
    return emitOpError("expected two buffers of state, m and l, got ") << getSums().size();
  if (getSave() && !getKept().empty())
    return emitOpError("expected kept with the last stage of a softmax, got save");
  return verifyPiece(*this);
}

LogicalResult AttendLanesVjpOp::verify() {
  if (failed(verifyMatrices(*this, {getQ(), getK(), getV(), getDO(), getDQ(), getDK(), getDV()})))
    return failure();
  if (getAssigns() && getHeadStep() != 1)
    return emitOpError("expected one solution for all heads where gradients are assigned, got ") << getHeadStep();
  return verifyPiece(*this);
}

namespace {
/// The sizes that determine the buffers of both kernels.
struct LaneSizes {
  int64_t lanes, element, columns, valueColumns; ///< columns: elements per rank, padded

  LaneSizes(Value q, Value v, LaneTileAttr tile) : lanes(tile.getLanes()) {
    element = xf::accumulatorType(memrefType(q).getElementType()).getIntOrFloatBitWidth() / 8;
    columns = memrefType(q).getDimSize(3) * lanes + AttendLanesScratch::padding;
    valueColumns = memrefType(v).getDimSize(3) * lanes + AttendLanesScratch::padding;
  }
};
} // namespace

AttendLanesScratch::AttendLanesScratch(AttendLanesOp op) {
  LaneTileAttr tile = op.getTile();
  LaneSizes sizes(op.getQ(), op.getV(), tile);
  ScratchLayout layout;
  int64_t rows = tile.getRows(), ranks = tile.getRanks();
  query = layout.take(rows * sizes.columns, sizes.element);
  keys = layout.take(ranks * sizes.columns, sizes.element);
  values = layout.take(ranks * sizes.valueColumns, sizes.element);
  output = layout.take(rows * sizes.valueColumns, sizes.element);
  p = layout.take(rows * ranks * sizes.lanes, sizes.element);
  shift = layout.take(rows * sizes.lanes, sizes.element);
  sums = layout.take(rows * sizes.lanes, sizes.element);
  inverse = layout.take(rows * sizes.lanes, sizes.element);
  bounds = layout.take(rows * 2 * sizes.lanes, 4);
  requested = layout.take(1, 8);
  bytes = layout.bytes;
}

AttendLanesVjpScratch::AttendLanesVjpScratch(AttendLanesVjpOp op) {
  LaneTileAttr tile = op.getTile();
  LaneSizes sizes(op.getQ(), op.getV(), tile);
  ScratchLayout layout;
  int64_t rows = tile.getQueries(), ranks = tile.getRanks();
  query = layout.take(rows * sizes.columns, sizes.element);
  cotangent = layout.take(rows * sizes.valueColumns, sizes.element);
  dQuery = layout.take(tile.getRows() * sizes.columns, sizes.element);
  keys = layout.take(ranks * sizes.columns, sizes.element);
  values = layout.take(ranks * sizes.valueColumns, sizes.element);
  dKeys = layout.take(ranks * sizes.columns, sizes.element);
  dValues = layout.take(ranks * sizes.valueColumns, sizes.element);
  p = layout.take(rows * ranks * sizes.lanes, sizes.element);
  ds = layout.take(rows * ranks * sizes.lanes, sizes.element);
  shift = layout.take(rows * sizes.lanes, sizes.element);
  rest = layout.take(rows * sizes.lanes, sizes.element);
  delta = layout.take(rows * sizes.lanes, sizes.element);
  bounds = layout.take(rows * 2 * sizes.lanes, 4);
  ranges = layout.take(rows / tile.getRows() * 2, 8);
  requested = layout.take(1, 8);
  bytes = layout.bytes;
}
