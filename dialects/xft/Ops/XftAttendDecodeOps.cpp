//===- XftAttendDecodeOps.cpp - Attention of few rows: verification -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/Ops/XftAttendVerifiers.h"

using namespace mlir;
using namespace mlir::xft;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Verifies the shapes of the row state: m and l are SxBxHxN, and the accumulator is SxBxHxNxDv, with the Dv of `o`.
static LogicalResult verifySlices(Operation *op, Value o, OperandRange sums, Value accumulator) {
  if (sums.size() != 2 || !accumulator)
    return op->emitOpError("expected m, l and an accumulator of slices, got ")
           << sums.size() << (accumulator ? " and one" : " and none");
  MemRefType parts = memrefType(accumulator);
  bool areSums = llvm::all_of(sums, [](Value sum) { return memrefType(sum).getRank() == 4; });
  if (!areSums || parts.getRank() != 5 || !hasStaticRows(parts) || parts.getDimSize(4) != memrefType(o).getDimSize(3))
    return op->emitOpError("expected m and l SxBxHxN and an accumulator SxBxHxNxDv, got ")
           << sums[0].getType() << ", " << sums[1].getType() << " and " << parts;
  return success();
}

LogicalResult AttendDecodeOp::verify() {
  if (failed(verifyRowState(*this, getState())) || failed(verifyAttendClauses(*this, getClauses())) ||
      failed(verifyMatrices(*this, {getQ(), getK(), getV(), getO()}))) // C1
    return failure();
  DecodeTileAttr tile = getTile();
  int64_t lanes = tile.getLanes();
  if (tile.getSums() < 4 || lanes < 2 || tile.getKeys() < 1 || tile.getKeys() % lanes != 0 || tile.getSlice() < 1 ||
      tile.getSlice() % tile.getKeys() != 0) // C3
    return emitOpError("expected blocks of whole registers and slices of whole blocks, got ") << tile;
  for (Value matrix : {getQ(), getK(), getV(), getO()}) // C1
    if (memrefType(matrix).getDimSize(3) < lanes)
      return emitOpError("expected rows of at least ") << lanes << " elements, got " << matrix.getType();
  for (Value matrix : {getQ(), getO()}) // C1
    if (memrefType(matrix).isDynamicDim(2))
      return emitOpError("expected a static number of rows, got ") << matrix.getType();
  for (auto piece : getPieces().getAsRange<xf::PieceAttr>()) // C2
    if (!piece.getQueries().isIdentity() || !piece.getKeys().isIdentity() || piece.getResidues() != 1)
      return emitOpError("expected pieces with identity maps, got ") << piece;
  if (getTiles()) // C2
    return emitOpError("expected pieces without tiles, got ") << getOrder();
  Type operand = tile.getOperand();
  auto isOperand = [&](Value matrix) { return memrefType(matrix).getElementType() == operand; };
  if (operand && !(isa<FloatType>(operand) && operand.getIntOrFloatBitWidth() == 16 && isOperand(getQ()) &&
                   isOperand(getK()) && isOperand(getV()))) // C6
    return emitOpError("expected a 16-bit operand, the element type of q, k and v, got ") << operand;
  bool hasState = !getSums().empty() || getAccumulator(), hasResults = getLse() || !getKept().empty();
  if (getSave() ? hasResults : hasState) // C4
    return emitOpError("expected state of slices with save, results of rows without");
  if (getSave() && failed(verifySlices(*this, getO(), getSums(), getAccumulator()))) // C4
    return failure();
  if (!getData().empty() || !getCaptures().empty() || getSeed() || getPart() || getDropout() || getLinear()) // C5
    return emitOpError("expected neither data, captures, seed nor part, and a softmax without dropout");
  return success();
}

LogicalResult MergeSlicesOp::verify() {
  if (failed(verifyRowState(*this, getState())) || failed(verifyMatrices(*this, getO()))) // C1
    return failure();
  return verifySlices(*this, getO(), getSums(), getAccumulator()); // C2
}
