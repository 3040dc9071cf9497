//===- XftAttendOps.cpp - Attention as kernels: verification --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/Ops/XftAttendVerifiers.h"
#include "dialects/xft/Ops/XftOperandGroups.h"

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
  if (x.getRank() != 4 || !hasStaticRows(x)) // C1
    return emitOpError("expected a source BxHxNxD with unit inner stride, got ") << x;
  if (to.getRank() != 5 || !hasStaticRows(to)) // C2
    return emitOpError("expected a destination BxHxRxPxC with unit inner stride, got ") << to;
  int64_t columns = x.getDimSize(3), written = to.getDimSize(4);
  int64_t width = getWidth(), terms = getTerms();
  if (terms < 1 || width < 1 || width % terms) // C3
    return emitOpError("expected a width of whole groups of ") << terms << " terms, got " << width;
  if (getTransposed() ? written != static_cast<int64_t>(llvm::alignTo(columns, terms)) * width : written < columns)
    return emitOpError("expected panels for ") << columns << " columns, got rows of " << written;
  return success();
}

LogicalResult TabulateOp::verify() {
  MemRefType source = memrefType(getSource()), values = memrefType(getValues()), ranges = memrefType(getRanges());
  Type element = source.getElementType();
  // C1
  if (source.getRank() != 2 || values.getRank() != 2 || ranges.getRank() != 3 || !element.isSignlessInteger() ||
      values.getElementType() != element || ranges.getElementType() != element)
    return emitOpError("expected integers BxM, BxN and BxGx2, got ") << source << ", " << values << " and " << ranges;
  AffineMap at = getAt();
  if (at.getNumDims() != 1 || at.getNumResults() != 1 || at.getNumSymbols() < 2) // C2
    return emitOpError("expected a map (x)[Nq, Nk, ..] -> (y), got ") << getAtAttr();
  if (getSymbols().size() != getInputs().size())
    return emitOpError("expected a symbol for each of ")
           << getInputs().size() << " inputs, got " << getSymbols().size();
  for (int64_t symbol : getSymbols())
    if (symbol < 2 || symbol >= at.getNumSymbols())
      return emitOpError("expected symbols of the map from 2 on, got ") << symbol;
  if (getGroup() < 1)
    return emitOpError("expected groups of at least 1, got ") << getGroup();
  if (getPart() &&
      (memrefType(getPart()).getRank() != 2 || !memrefType(getPart()).getElementType().isSignlessInteger()))
    return emitOpError("expected a part of 1x2 integers, got ") << getPart().getType(); // C3
  return success();
}

LogicalResult SortListsOp::verify() {
  MemRefType offsets = memrefType(getOffsets()), columns = memrefType(getColumns()), to = memrefType(getTo());
  bool areIntegers = offsets.getElementType().isSignlessInteger() && columns.getElementType().isSignlessInteger();
  // C1
  if (offsets.getRank() != 1 || columns.getRank() != 1 || to.getRank() != 1 || !areIntegers ||
      columns.getElementType() != to.getElementType())
    return emitOpError("expected integers of rank 1, got ") << offsets << ", " << columns << " and " << to;
  return success();
}

static LogicalResult verifyBuffers(AttendOp op) {
  if (readsInPlace(op.getSchedule()))
    return success();
  if (op.getPieces().size() != op.getBuffers().size()) // C2
    return op.emitOpError("expected a buffer for each of ")
           << op.getPieces().size() << " pieces, got " << op.getBuffers().size();
  for (int64_t number : op.getBuffers())
    if (number < 0 || number >= static_cast<int64_t>(op.getKeys().size()) ||
        op.getKeys().size() != op.getValues().size())
      return op.emitOpError("expected buffers of keys and values, got number ")
             << number << " of " << op.getKeys().size() << " and " << op.getValues().size();
  return success();
}

/// Verifies an op whose tasks pack the keys that their block of queries sees into a ring of panels. If the schedule has
/// an operand type, tasks also pack values. Otherwise they read values in place.
static LogicalResult verifyRing(AttendOp op) {
  int64_t panels = op.getGathered() / op.getTile().getWidth(), lanes = op.getTile().getLanes();
  auto isIdentity = [](xf::PieceAttr piece) { return piece.getKeys().isIdentity(); };
  if (!llvm::isPowerOf2_64(panels) ||
      !llvm::all_of(op.getOrder().getPieces().getAsRange<xf::PieceAttr>(), isIdentity)) // C12
    return op.emitOpError("expected keys in order in a power of two of panels, got ")
           << panels << " and " << op.getOrder();
  MemRefType values = memrefType(op.getValues()[0]);
  if (cast<RegisterTilesAttr>(op.getSchedule()).getOperand()) {
    if (op.getGathered() % op.getTile().getKeys() != 0) // C12
      return op.emitOpError("expected whole blocks of ")
             << op.getTile().getKeys() << " values, got " << op.getGathered();
  } else if (values.getDimSize(3) % lanes != 0) { // C12
    return op.emitOpError("expected values in whole registers, got ") << values;
  }
  return success();
}

static LogicalResult verifyInPlace(AttendOp op) {
  if (!readsInPlace(op.getSchedule()))
    return success();
  if (op.getKeys().size() != 1 || op.getValues().size() != 1) // C8
    return op.emitOpError("expected one k and one v in place, got ")
           << op.getKeys().size() << " and " << op.getValues().size();
  for (Value matrix : {op.getKeys()[0], op.getValues()[0]})
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return op.emitOpError("expected BxHxNxD with unit inner stride and a static D in place, got ")
             << matrix.getType();
  int64_t width = op.getTile().getWidth(), ranks = op.getGathered();
  if (ranks != 0 && (ranks < 1 || ranks % width != 0)) // C9
    return op.emitOpError("expected whole panels of ") << width << " ranks to gather, got " << ranks;
  return ranks != 0 && op.getResidues() == 1 ? verifyRing(op) : success();
}

bool xft::readsInPlace(AttendSchedule schedule) {
  auto tiles = dyn_cast<RegisterTilesAttr>(schedule);
  return !tiles || tiles.getGathered() != 0;
}

int64_t AttendOp::getGathered() {
  auto tiles = dyn_cast<RegisterTilesAttr>(getSchedule());
  return tiles ? tiles.getGathered() : 0;
}

LogicalResult AttendOp::verify() {
  if (failed(verifyRowState(*this, getState())) || failed(verifyAttendClauses(*this, getClauses())))
    return failure();
  for (Value matrix : {getQ(), getO()}) // C1
    if (memrefType(matrix).getRank() != 4 || !hasStaticRows(memrefType(matrix)))
      return emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << matrix.getType();
  if ((getSave() || getResume()) && getSums().size() != 2) // C3
    return emitOpError("expected two buffers of state, m and l, got ") << getSums().size();
  if (!getKept().empty() && (getSave() || getLinear())) // C4
    return emitOpError("expected kept with the last query order of a softmax, got ") << (getSave() ? "save" : "linear");
  if (getLinear() && (getScore().empty() || getLse())) // C6
    return emitOpError("expected linear weights with a score region and without lse");
  if (getWarpgroups() && getSave() && getResume()) // C10
    return emitOpError("expected save or resume with warpgroups, got both");
  if (failed(verifyInPlace(*this)) || failed(verifyBuffers(*this)))
    return failure();
  if (failed(verifyOperand(*this))) // C11
    return failure();
  if (failed(verifyFlags(*this))) // C10
    return failure();
  if (getWarpgroups() && getLinear()) // C10
    return emitOpError("expected warpgroups without linear weights");
  if (isa<WarpTilesAttr>(getSchedule()) && getSchedule().getRecheck()) // C10
    return emitOpError("expected recheck with warpgroups, got ") << getSchedule();
  if (failed(verifyData(*this))) // C7
    return failure();
  AttendTileAttr tile = getTile();
  if (tile.getRows() < 1 || tile.getWidth() < 1 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getKeys() % tile.getWidth() != 0) // C5
    return emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  return success();
}
