//===- XftAttendOps.cpp - Attention as kernels: verification --------------===//
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

bool xft::hasStaticRows(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && !strides.empty() && strides.back() == 1 &&
         !type.isDynamicDim(type.getRank() - 1);
}

LogicalResult GatherPanelsOp::verify() {
  MemRefType x = memrefType(getX()), to = memrefType(getTo());
  if (x.getRank() != 4 || !hasStaticRows(x))
    return emitOpError("expected a source BxHxNxD with unit inner stride, got ") << x;
  if (to.getRank() != 5 || !hasStaticRows(to))
    return emitOpError("expected a destination BxHxRxPxC with unit inner stride, got ") << to;
  int64_t columns = x.getDimSize(3), written = to.getDimSize(4);
  if (getTransposed() ? written != columns * static_cast<int64_t>(getWidth()) : written < columns)
    return emitOpError("expected panels for ") << columns << " columns, got rows of " << written;
  return success();
}

LogicalResult TabulateOp::verify() {
  MemRefType source = memrefType(getSource()), values = memrefType(getValues()), ranges = memrefType(getRanges());
  Type element = source.getElementType();
  if (source.getRank() != 2 || values.getRank() != 2 || ranges.getRank() != 3 || !element.isSignlessInteger() ||
      values.getElementType() != element || ranges.getElementType() != element)
    return emitOpError("expected integers BxM, BxN and BxGx2, got ") << source << ", " << values << " and " << ranges;
  AffineMap at = getAt();
  if (at.getNumDims() != 1 || at.getNumResults() != 1 || at.getNumSymbols() < 2)
    return emitOpError("expected a map (x)[Nq, Nk, ..] -> (y), got ") << getAtAttr();
  if (getSymbols().size() != getInputs().size())
    return emitOpError("expected a symbol for each of ")
           << getInputs().size() << " inputs, got " << getSymbols().size();
  for (int64_t symbol : getSymbols())
    if (symbol < 2 || symbol >= at.getNumSymbols())
      return emitOpError("expected symbols of the map from 2 on, got ") << symbol;
  if (getGroup() < 1)
    return emitOpError("expected groups of at least 1, got ") << getGroup();
  return success();
}

LogicalResult SortListsOp::verify() {
  MemRefType offsets = memrefType(getOffsets()), columns = memrefType(getColumns()), to = memrefType(getTo());
  bool areIntegers = offsets.getElementType().isSignlessInteger() && columns.getElementType().isSignlessInteger();
  if (offsets.getRank() != 1 || columns.getRank() != 1 || to.getRank() != 1 || !areIntegers ||
      columns.getElementType() != to.getElementType())
    return emitOpError("expected integers of rank 1, got ") << offsets << ", " << columns << " and " << to;
  return success();
}

/// Checks that every datum of a predicate has two operands.
template <typename OpTy>
static LogicalResult verifyData(OpTy op) {
  size_t data = op.getTiles() ? op.getTiles()->getData().size() : 0;
  if (op.getData().size() != 2 * data)
    return op.emitOpError("expected two operands for each of ") << data << " data, got " << op.getData().size();
  return success();
}

static LogicalResult verifyBlocks(AttendOp op) {
  AttendTileAttr tile = op.getTile();
  if (tile.getRows() < 1 || tile.getWidth() < 1 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getKeys() % tile.getWidth() != 0)
    return op.emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  if (op.getPieces().size() != op.getBuffers().size())
    return op.emitOpError("expected a buffer for each of ")
           << op.getPieces().size() << " pieces, got " << op.getBuffers().size();
  for (int64_t number : op.getBuffers())
    if (number < 0 || number >= static_cast<int64_t>(op.getKeys().size()) ||
        op.getKeys().size() != op.getValues().size())
      return op.emitOpError("expected buffers of keys and values, got number ")
             << number << " of " << op.getKeys().size() << " and " << op.getValues().size();
  return success();
}

static LogicalResult verifyGathered(AttendOp op) {
  if (!op.getGathered() && !op.getInPlace())
    return success();
  if (op.getGathered() && op.getInPlace())
    return op.emitOpError("expected gathered or in_place, got both");
  if (op.getKeys().size() != 1 || op.getValues().size() != 1)
    return op.emitOpError("expected one k and one v to gather from, got ")
           << op.getKeys().size() << " and " << op.getValues().size();
  for (Value matrix : {op.getKeys()[0], op.getValues()[0]})
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return op.emitOpError("expected BxHxNxD with unit inner stride and a static D to gather from, got ")
             << matrix.getType();
  if (op.getInPlace())
    return success();
  int64_t width = op.getTile().getWidth(), ranks = *op.getGathered();
  if (op.getResidues() < 2 || ranks < 1 || ranks % width != 0)
    return op.emitOpError("expected residues, each with whole panels of ")
           << width << " ranks to gather, got " << op.getResidues() << " with " << ranks;
  return success();
}

template <typename OpTy>
static LogicalResult verifyWarpgroups(OpTy op) {
  WarpgroupsAttr groups = op.getWarpgroupsAttr();
  if (!groups)
    return success();
  if (groups.getConsumers() < 1 || groups.getStages() < 1)
    return op.emitOpError("expected at least one group that computes and one stage, got ") << groups;
  if (!op.getSuspects() || !op.getScore().empty() || op.getTiles() || op.getDropout() || op.getLinear())
    return op.emitOpError("expected suspects with warpgroups, and no score region, tiles, dropout or linear");
  return success();
}

LogicalResult AttendOp::verify() {
  if (getCareful() && !getWarpgroups())
    return emitOpError("expected warpgroups with careful");
  for (Value matrix : {getQ(), getO()})
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << matrix.getType();
  for (Attribute attribute : getPieces()) {
    auto piece = cast<xf::PieceAttr>(attribute);
    if (piece.getQueries() != getQueries() || piece.getResidues() != static_cast<int64_t>(getResidues()))
      return emitOpError("expected pieces in the order ") << getQueries() << " of queries, got " << piece.getQueries();
  }
  if ((getSave() || getResume()) && getSums().size() != 2)
    return emitOpError("expected two buffers of state, m and l, got ") << getSums().size();
  if (!getKept().empty() && (getSave() || getLinear()))
    return emitOpError("expected kept with the last stage of a softmax, got ") << (getSave() ? "save" : "linear");
  if (getLinear() && (getScore().empty() || getLse() || getDropout()))
    return emitOpError("expected a score region with linear, without lse and dropout");
  if (getWarpgroups() && (!getInPlace() || (getSave() && getResume())))
    return emitOpError("expected in_place with warpgroups, and save or resume at most");
  if (failed(verifyGathered(*this)) || failed(verifyWarpgroups(*this)))
    return failure();
  return failed(verifyData(*this)) ? failure() : verifyBlocks(*this);
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
  sums = layout.take(rows * tile.getLanes(), size);
  shift = layout.take(rows, size);
  guard = layout.take(rows, size);
  p = layout.take(tile.getRows() * tile.getKeys(), size);
  spill = layout.take(tile.getRows() * tile.getWidth(), size);
  pieceTable = layout.take(pieces * 8, word);
  rowBounds = layout.take(pieces * rows * 2, word);
  groupBounds = layout.take(pieces * rows / tile.getRows() * 4, word);
  tileStates = layout.take(op.getTiles() ? tile.getKeys() / tile.getWidth() * tileEntries : 0, word);
  keyOf = layout.take(op.getScore().empty() && !op.getDropout() ? 0 : tile.getKeys(), word);
  kept = layout.take(op.getDropout() ? tile.getRows() * tile.getKeys() : 0, size);
  int64_t gathered = op.getGathered().value_or(0);
  keyPanels = layout.take(gathered * memrefType(op.getQ()).getDimSize(3), size);
  valueRows = layout.take(gathered * llvm::alignTo(memrefType(op.getO()).getDimSize(3), tile.getLanes()), size);
  requested = layout.take(1, word);
  bytes = layout.bytes;
}

//===----------------------------------------------------------------------===//
// xft.attend_vjp
//===----------------------------------------------------------------------===//

int64_t AttendVjpOp::getGridResidues() {
  xf::PieceAttr piece = getPiece();
  bool apart = (getSide() && getSide() != VjpSide::captures) ||
               (piece.getKeysDisjoint() && piece.getQueriesDisjoint() && getDCaptures().empty());
  return apart && !getResidue() ? piece.getResidues() : 1;
}

LogicalResult AttendVjpOp::verify() {
  SmallVector<Value> matrices = {getQ(), getK(), getV(), getDO(), getDK(), getDV()};
  llvm::append_range(matrices, getDQ());
  for (Value matrix : matrices)
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << matrix.getType();
  size_t slices = getDQ().size();
  if (slices < 1 || (getPiece().getResidues() > 1 && slices != 1))
    return emitOpError("expected one d_q for each slice, and one slice where a piece has residues, got ") << slices;
  if (getAssigns() && getHeadStep() != 1)
    return emitOpError("expected one solution for all heads where gradients are assigned, got ") << getHeadStep();
  if (getTiles() && !(getPiece().getQueries().isIdentity() && getPiece().getKeys().isIdentity()))
    return emitOpError("expected identity maps beside tiles, got ") << getPiece();
  if (getLinear() && (getScore().empty() || getDropout()))
    return emitOpError("expected a score region with linear, without dropout");
  if (getSide().has_value() != (getBlocks() != nullptr) || (getResidue() && !getSide()))
    return emitOpError("expected blocks, and no residue otherwise, with a side");
  bool isOfCaptures = getSide() == VjpSide::captures;
  if (getSide() && (slices != 1 || getDCaptures().empty() == isOfCaptures))
    return emitOpError("expected one d_q with a side, and d_captures with no other side than theirs, got ")
           << slices << " and " << getDCaptures().size();
  if (getWarpgroups() && (!getSide() || isOfCaptures))
    return emitOpError("expected a side of rows or keys with warpgroups");
  if (failed(verifyWarpgroups(*this)))
    return failure();
  AttendTileAttr tile = getTile();
  if (tile.getRows() < 1 || tile.getWidth() < 1 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getKeys() % tile.getWidth() != 0 || tile.getKeys() % tile.getRows() != 0)
    return emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  return verifyData(*this);
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
  keyRows = layout.take(keyCount / tile.getRows() * 2, word);
  query = layout.take(rows * columns, size);
  cotangent = layout.take(rows * valueColumns, size);
  shift = layout.take(rows, size);
  rest = layout.take(rows, size);
  delta = layout.take(rows, size);
  p = layout.take(rows * keyCount, size);
  ds = layout.take(rows * keyCount, size);
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
