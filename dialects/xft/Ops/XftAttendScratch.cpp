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

/// Returns the type of numbers as they enter products, if it is not that of sums.
static Type operandOf(AttendSchedule schedule) {
  auto tiles = dyn_cast<RegisterTilesAttr>(schedule);
  return tiles ? tiles.getOperand() : Type();
}

AttendScratch::AttendScratch(AttendOp op) {
  AttendTileAttr tile = op.getTile();
  Type real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
  int64_t size = real.getIntOrFloatBitWidth() / 8, rows = tile.getQueries(), word = 8;
  int64_t pieces = std::max<int64_t>(1, op.getPieces().size());
  ScratchLayout layout;
  rowOf = layout.take(rows, word);
  query = layout.take(rows * memrefType(op.getQ()).getDimSize(3), size);
  output = layout.take(rows * llvm::alignTo(memrefType(op.getO()).getDimSize(3), tile.getLanes()), size);
  sums = layout.take(rows * sumColumns(tile.getLanes(), operandOf(op.getSchedule()) != Type()), size);
  shift = layout.take(rows, size);
  guard = layout.take(rows, size);
  bool hasLogs = op.getLse() || !op.getKept().empty();
  logSums = layout.take(hasLogs ? llvm::alignTo(rows, tile.getLanes()) : 0, size);
  factor = layout.take(tile.getRows(), size);
  p = layout.take(tile.getRows() * tile.getKeys(), size);
  spill = layout.take(tile.getRows() * spillRegisters * tile.getLanes(), size);
  pieceTable = layout.take(pieces * 8, word);
  rowBounds = layout.take(pieces * rows * 2, word);
  groupBounds = layout.take(pieces * rows / tile.getRows() * 4, word);
  tileStates = layout.take(op.getTiles() ? tile.getKeys() / tile.getWidth() * tileEntries : 0, word);
  masks = layout.take(op.getTiles() && operandOf(op.getSchedule()) ? tile.getRows() * tile.getKeys() : 0, size);
  keyOf = layout.take(op.getScore().empty() && !op.getDropout() ? 0 : tile.getKeys(), word);
  kept = layout.take(op.getDropout() ? tile.getRows() * tile.getKeys() : 0, size);
  // What tasks gather keeps its type. A product of an operand type takes terms in pairs at most.
  bool isNarrow = operandOf(op.getSchedule()) != Type();
  int64_t gathered = op.getGathered(), stored = memrefType(op.getQ()).getElementTypeBitWidth() / 8;
  keyPanels = layout.take(gathered * llvm::alignTo(memrefType(op.getQ()).getDimSize(3), isNarrow ? 2 : 1), stored);
  int64_t gatheredRows = op.getResidues() > 1 || isNarrow ? gathered : 0;
  valueRows = layout.take(gatheredRows * llvm::alignTo(memrefType(op.getO()).getDimSize(3), tile.getLanes()), stored);
  packedRange = layout.take(2, word);
  requested = layout.take(1, word);
  bytes = layout.bytes;
}

AttendVjpScratch::AttendVjpScratch(AttendVjpOp op) {
  AttendTileAttr tile = op.getTile();
  Type real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
  int64_t size = real.getIntOrFloatBitWidth() / 8, word = 8, rows = tile.getQueries(), keyCount = tile.getKeys();
  int64_t columns = llvm::alignTo(memrefType(op.getQ()).getDimSize(3), tile.getLanes());
  int64_t valueColumns = llvm::alignTo(memrefType(op.getV()).getDimSize(3), tile.getLanes());
  ScratchLayout layout;
  rowOf = layout.take(rows, word);
  rowBounds = layout.take(rows * 2, word);
  groupBounds = layout.take(rows / tile.getRows() * 4, word);
  keyRows = layout.take(keyCount / tile.getRows() * 3, word);
  query = layout.take(rows * columns, size);
  cotangent = layout.take(rows * valueColumns, size);
  shift = layout.take(rows, size);
  rest = layout.take(rows, size);
  delta = layout.take(rows, size);
  p = layout.take(rows * keyCount, size);
  ds = layout.take(rows * keyCount, size);
  int64_t half = operandOf(op.getSchedule()) ? 2 : 0;
  pTerms = layout.take(rows * keyCount, half);
  dsTerms = layout.take(rows * keyCount, half);
  dsRows = layout.take(rows * keyCount, half);
  queryTerms = layout.take(rows * columns, half);
  dOTerms = layout.take(rows * valueColumns, half);
  dQuery = layout.take(rows * columns, size);
  keyPanels = layout.take(keyCount * columns, size);
  valuePanels = layout.take(keyCount * valueColumns, size);
  keys = layout.take(keyCount * columns, size);
  dKeys = layout.take(keyCount * columns, size);
  dValues = layout.take(keyCount * valueColumns, size);
  spill = layout.take(op.getScore().empty() ? 0 : tile.getRows() * tile.getWidth(), size);
  keyOf = layout.take(op.getScore().empty() && !op.getDropout() ? 0 : keyCount, word);
  // A register of counters yields dropout bits of four registers of keys, which may reach beyond the last row.
  kept = layout.take(op.getDropout() ? tile.getRows() * keyCount + 4 * tile.getLanes() : 0, size);
  int64_t groups = rows / tile.getRows(), tiles = keyCount / tile.getWidth();
  tileStates = layout.take(op.getTiles() ? groups * tiles * AttendScratch::tileEntries : 0, word);
  runs = layout.take(op.getTiles() ? 2 * std::max(groups, tiles) + 1 : 0, word);
  requested = layout.take(2, word);
  bytes = layout.bytes;
}

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
