//===- XftAttendDecodeOps.cpp - Attention of few rows: verification -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftAttendDecodeScratch.h"
#include "dialects/xft/Ops/XftAttendVerifiers.h"

using namespace mlir;
using namespace mlir::xft;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

// The more rows in a band, the more of them one shuffle transposes. Each part of a row of k, 64 bits at least, meets a
// few bands, as copying it to all rows of a band takes as long as two products. Numbers that are converted as they are
// loaded would be converted in parts.
int64_t AttendDecodeScratch::rowsOfBand(AttendDecodeOp op) {
  constexpr int64_t fewestBands = 4, fewestBits = 64;
  MemRefType q = memrefType(op.getQ());
  Type real = xf::accumulatorType(q.getElementType());
  int64_t bits = real.getIntOrFloatBitWidth(), width = op.getTile().getLanes(), rows = 1;
  bool isConverted = !op.getTile().getOperand() && q.getElementType() != real;
  while (!isConverted && 2 * rows * fewestBands <= q.getDimSize(2) && width / 2 * bits >= fewestBits) {
    width /= 2;
    rows *= 2;
  }
  return rows;
}

int64_t AttendDecodeScratch::groupOf(AttendDecodeOp op, int64_t rowsOfBand) {
  Type real = xf::accumulatorType(memrefType(op.getQ()).getElementType());
  return std::min(groupOf(real), op.getTile().getLanes() / rowsOfBand);
}

bool AttendDecodeScratch::overlaps(AttendDecodeOp op) {
  int64_t rows = memrefType(op.getQ()).getDimSize(2);
  return rows >= 3 && rows <= 8;
}

// At each change from k to v and back memory idles until prefetchers have found the other stream. Caches of the second
// level hold the scores of a run, and what was prefetched of k behind it.
int64_t AttendDecodeScratch::blocksOfRun(AttendDecodeOp op) {
  constexpr int64_t bytesOfRun = 256 << 10;
  MemRefType k = memrefType(op.getK());
  int64_t keys = op.getTile().getKeys(), bytes = keys * k.getDimSize(3) * k.getElementTypeBitWidth() / 8;
  return overlaps(op) ? std::clamp<int64_t>(bytesOfRun / bytes, 1, op.getTile().getSlice() / keys) : 1;
}

AttendDecodeScratch::AttendDecodeScratch(AttendDecodeOp op) {
  DecodeTileAttr tile = op.getTile();
  MemRefType q = memrefType(op.getQ()), v = memrefType(op.getV());
  Type real = xf::accumulatorType(q.getElementType());
  int64_t size = real.getIntOrFloatBitWidth() / 8, word = 8, lanes = tile.getLanes();
  int64_t ofBand = rowsOfBand(op), width = lanes / ofBand, rows = llvm::alignTo(q.getDimSize(2), ofBand);
  int64_t pieces = std::max<int64_t>(1, op.getPieces().size());
  int64_t blocks = blocksOfRun(op);
  ScratchLayout layout;
  // Operands narrower than sums fill a register with more elements.
  int64_t operandSize = tile.getOperand() ? tile.getOperand().getIntOrFloatBitWidth() / 8 : size,
          terms = size / operandSize;
  decayBytes = rows * width * size;
  pBytes = rows * tile.getKeys() * operandSize;
  partialBytes = rows / ofBand * tile.getKeys() / groupOf(op, ofBand) * lanes * size;
  query = layout.take(rows * llvm::alignTo(q.getDimSize(3), width * terms), operandSize);
  output = layout.take(rows * llvm::alignTo(v.getDimSize(3), lanes), size);
  maximum = layout.take(rows * width, size);
  decay = layout.take(blocks * decayBytes, 1);
  sums = layout.take(rows * width, size);
  rounded = layout.take(tile.getOperand() ? rows * width / terms : 0, size);
  p = layout.take(blocks * pBytes, 1);
  partial = layout.take(blocks * partialBytes, 1);
  copied = layout.take(mostKeysOfTile * q.getDimSize(3), q.getElementTypeBitWidth() / 8);
  rowBounds = layout.take(pieces * rows * 2, word);
  ranges = layout.take(pieces * 4, word);
  bytes = layout.bytes;
}

/// Verifies that `o` is BxHxNxDv with rows of a register at least, and that the row state has m and l SxBxHxN and an
/// accumulator SxBxHxNxDv.
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
