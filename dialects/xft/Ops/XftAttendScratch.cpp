//===- XftAttendScratch.cpp - Scratch memory of attention kernels ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftAttendScratch.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xft;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

namespace {
/// The sizes that determine the buffers of xft.attend_residues and xft.attend_residues_vjp.
struct ResiduesSizes {
  int64_t lanes, element, columns, valueColumns; ///< columns: elements per rank, padded

  ResiduesSizes(Value q, Value v, ResiduesTileAttr tile) : lanes(tile.getLanes()) {
    element = xf::accumulatorType(memrefType(q).getElementType()).getIntOrFloatBitWidth() / 8;
    columns = memrefType(q).getDimSize(3) * lanes + AttendResiduesScratch::padding;
    valueColumns = memrefType(v).getDimSize(3) * lanes + AttendResiduesScratch::padding;
  }
};
} // namespace

AttendResiduesScratch::AttendResiduesScratch(AttendResiduesOp op) {
  ResiduesTileAttr tile = op.getTile();
  ResiduesSizes sizes(op.getQ(), op.getV(), tile);
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
  bytes = layout.bytes;
}

AttendResiduesVjpScratch::AttendResiduesVjpScratch(AttendResiduesVjpOp op) {
  ResiduesTileAttr tile = op.getTile();
  ResiduesSizes sizes(op.getQ(), op.getV(), tile);
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
  bytes = layout.bytes;
}

StencilSizes::StencilSizes(StencilTileAttr tile) {
  int64_t lanes = tile.getLanes();
  int64_t first = tile.getFirstShift(), last = first + tile.getShifts() - 1;
  margin = llvm::alignTo(std::max<int64_t>({0, -first, last}), lanes);
  int64_t registers = (margin + llvm::alignTo(tile.getLength(), lanes)) / lanes;
  stride = (registers | 1) * lanes; // an odd number: columns of the matrix do not map to the same sets of a cache
}

AttendStencilScratch::AttendStencilScratch(AttendStencilOp op) {
  StencilTileAttr tile = op.getTile();
  int64_t element = xf::accumulatorType(memrefType(op.getQ()).getElementType()).getIntOrFloatBitWidth() / 8;
  int64_t depth = memrefType(op.getQ()).getDimSize(3), valueDepth = memrefType(op.getV()).getDimSize(3);
  int64_t rows = tile.getRows(), slots = tile.getKeyLines(), lanes = tile.getLanes();
  StencilSizes line(tile);
  ScratchLayout layout;
  query = layout.take(rows * (depth * lanes + padding), element);
  keys = layout.take(line.elements(slots * depth), element);
  values = layout.take(line.elements(slots * valueDepth), element);
  output = layout.take(rows * (valueDepth * lanes + padding), element);
  p = layout.take(rows * tile.getPairs() * lanes, element);
  shift = layout.take(rows * lanes, element);
  sums = layout.take(rows * lanes, element);
  inverse = layout.take(rows * lanes, element);
  bytes = layout.bytes;
}

AttendStencilVjpScratch::AttendStencilVjpScratch(AttendStencilVjpOp op) {
  StencilTileAttr tile = op.getTile();
  int64_t element = xf::accumulatorType(memrefType(op.getQ()).getElementType()).getIntOrFloatBitWidth() / 8;
  int64_t depth = memrefType(op.getQ()).getDimSize(3), valueDepth = memrefType(op.getV()).getDimSize(3);
  int64_t rows = tile.getRows(), lanes = tile.getLanes(), keyLines = tile.getKeyLines(), seeing = tile.getSeeingLines();
  StencilSizes line(tile);
  ScratchLayout layout;
  keys = layout.take(line.elements(keyLines * depth), element);
  values = layout.take(line.elements(keyLines * valueDepth), element);
  queries = layout.take(line.elements(seeing * depth), element);
  cotangents = layout.take(line.elements(seeing * valueDepth), element);
  p = layout.take(line.elements(seeing * tile.getPairs()), element);
  ds = layout.take(line.elements(seeing * tile.getPairs()), element);
  gradient = layout.take(rows * (std::max(depth, valueDepth) * lanes + padding), element);
  shift = layout.take(rows * lanes, element);
  rest = layout.take(rows * lanes, element);
  delta = layout.take(rows * lanes, element);
  bytes = layout.bytes;
}
