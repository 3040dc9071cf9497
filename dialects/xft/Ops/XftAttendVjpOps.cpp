//===- XftAttendVjpOps.cpp - Gradients of attention: verification ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftKeySlices.h"
#include "dialects/xft/Ops/XftAttendVerifiers.h"

using namespace mlir;
using namespace mlir::xft;

#include "dialects/xft/IR/XftOpInterfaces.cpp.inc"

int64_t AttendVjpOp::getGridResidues() {
  xf::PieceAttr piece = getPiece();
  bool areApart = piece.getKeysDisjoint() && piece.getQueriesDisjoint() && getDCaptures().empty();
  return areApart ? piece.getResidues() : 1;
}

//===----------------------------------------------------------------------===//
// Slices of consecutive keys
//===----------------------------------------------------------------------===//

static constexpr StringLiteral keySlicesName = "xft.key_slices";

std::optional<KeySlices> KeySlices::of(Operation *op) {
  auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(keySlicesName);
  return numbers ? std::optional(KeySlices{numbers[0], numbers[1], numbers[2], numbers[3]}) : std::nullopt;
}

void KeySlices::setOn(Operation *op) const {
  op->setAttr(keySlicesName, DenseI64ArrayAttr::get(op->getContext(), {count, keys, haloBegin, halo}));
}

int64_t xft::sliceCount(AttendVjpOp op) {
  std::optional<KeySlices> slices = KeySlices::of(op);
  return slices ? slices->count : op.getDQ().size();
}

/// Verifies the attribute of slices of consecutive keys, if the op has it.
static LogicalResult verifyKeySlices(AttendVjpOp op) {
  Attribute attribute = op->getAttr(keySlicesName);
  if (!attribute)
    return success();
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!numbers || numbers.size() != 4)
    return op.emitOpError("expected four numbers of slices of keys, got ") << attribute;
  KeySlices slices = *KeySlices::of(op);
  if (slices.count < 2 || slices.halo < 1 || slices.halo > slices.keys || slices.haloBegin < 0)
    return op.emitOpError("expected two slices of keys at least, and a halo of at most as many rows, got ") << numbers;
  if (op.getDQ().size() != 2 || op.getPiece().getResidues() > 1)
    return op.emitOpError("expected two d_q and no residues with slices of consecutive keys, got ")
           << op.getDQ().size() << " and " << op.getPiece().getResidues();
  return success();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies what all gradient ops have in common: matrices, one piece, regions, blocks and data.
template <typename OpTy>
static LogicalResult verifyGradient(OpTy op) {
  if (failed(verifyMatrices(op, {op.getQ(), op.getK(), op.getV(), op.getDO()}))) // C1
    return failure();
  if (op.getPieces().size() != 1)
    return op.emitOpError("expected one piece, got ") << op.getPieces().size();
  if (op.getLinear() && op.getScore().empty())
    return op.emitOpError("expected a score region with linear weights");
  if (op.getScore().empty() != op.getDerivative().empty())
    return op.emitOpError("expected a derivative where there is a score region");
  AttendTileAttr tile = op.getTile();
  if (tile.getRows() < 1 || tile.getWidth() < 1 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getKeys() % tile.getWidth() != 0 || tile.getKeys() % tile.getRows() != 0)
    return op.emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  return verifyData(op);
}

/// Verifies the schedule and the flags of an op that computes one side of a gradient (rows or keys).
template <typename OpTy>
static LogicalResult verifySideSchedule(OpTy op) {
  AttendSchedule schedule = op.getSchedule();
  if (isa<RegisterTilesAttr>(schedule) || (isa<WarpgroupTilesAttr>(schedule) && schedule.getRecheck()))
    return op.emitOpError("expected warp tiles, or warpgroup tiles without recheck, got ") << schedule;
  if (failed(verifyFlags(op)))
    return failure();
  return verifySoftmaxOfWarpgroups(op); // C8
}

/// Verifies that an op computes all heads if it assigns gradients instead of adding to them. An op computes all heads
/// if all of them have one solution.
template <typename OpTy>
static LogicalResult verifyAssigns(OpTy op) {
  if (op.getAssigns() && op.getHeadStep() != 1)
    return op.emitOpError("expected one solution for all heads where gradients are assigned, got ") << op.getHeadStep();
  return success();
}

/// Verifies the types of gradients. If an op adds to gradients, they must have the type in which it computes (the type
/// of delta). If it assigns gradients, they may have other types.
static LogicalResult verifyGradientTypes(AttendVjpSide op) {
  Type real = cast<MemRefType>(op.getDelta().getType()).getElementType();
  for (Value gradient : op.getGradients()) {
    Type element = cast<MemRefType>(gradient.getType()).getElementType();
    if (element != real && !op.getAssigns())
      return op->emitOpError("expected gradients of ") << real << ", or assigned ones, got " << element;
  }
  return success();
}

LogicalResult AttendVjpOp::verify() {
  if (failed(verifyAttendClauses(*this, getClauses())) || failed(verifyVjpGradients(*this, getGradients())))
    return failure();
  if (getGradients()[1].empty() || getGradients()[2].empty()) // C2
    return emitOpError("expected one d_k and one d_v, got ")
           << getGradients()[1].size() << " and " << getGradients()[2].size();
  if (failed(verifyGradient(*this)) || failed(verifyMatrices(*this, getDQ())) || // C3, C5, C6, C8
      failed(verifyMatrices(*this, {getDK(), getDV()})))                         // C1
    return failure();
  size_t slices = getDQ().size();
  if (slices < 1 || (getPiece().getResidues() > 1 && slices != 1)) // C2
    return emitOpError("expected one d_q for each slice, and one slice where a piece has residues, got ") << slices;
  if (failed(verifyKeySlices(*this)))
    return failure();
  auto schedule = dyn_cast<RegisterTilesAttr>(getSchedule());
  if (!schedule || schedule.getGathered() != 0) // C7
    return emitOpError("expected register tiles that gather nothing, got ") << getSchedule();
  if (failed(verifyOperand(*this))) // C9
    return failure();
  return verifyAssigns(*this); // C4
}

LogicalResult AttendVjpRowsOp::verify() {
  if (getGrid().empty() || getGrid().size() > 2) // C4
    return emitOpError("expected one or two numbers in grid, got ") << getGrid().size();
  if (failed(verifyAttendClauses(*this, getClauses())) || failed(verifyGradient(*this)) || // C2, C3, C5, C6
      failed(verifyMatrices(*this, getDQ())) || failed(verifySideSchedule(*this)) ||       // C1, C7, C8
      failed(verifyGradientTypes(*this)))                                                  // C1
    return failure();
  return verifyAssigns(*this); // C9
}

LogicalResult AttendVjpKeysOp::verify() {
  if (getGrid().size() < 2 || getGrid().size() > 3) // C4
    return emitOpError("expected two or three numbers in grid, got ") << getGrid().size();
  if (failed(verifyAttendClauses(*this, getClauses())) || failed(verifyGradient(*this)) ||      // C2, C3, C5, C6
      failed(verifyMatrices(*this, {getDK(), getDV()})) || failed(verifySideSchedule(*this)) || // C1, C7, C8
      failed(verifyGradientTypes(*this)))                                                       // C1
    return failure();
  return verifyAssigns(*this); // C9
}

LogicalResult AttendVjpCapturesOp::verify() {
  if (getGrid().size() != 2) // C4
    return emitOpError("expected two numbers in grid, got ") << getGrid().size();
  if (failed(verifyAttendClauses(*this, getClauses())) || failed(verifyGradient(*this))) // C1, C2, C3, C5
    return failure();
  if (getDerivative().empty()) // C6
    return emitOpError("expected a derivative region");
  for (int64_t number : getReads()) // C6
    if (number < 0 || number >= static_cast<int64_t>(getDCaptures().size()))
      return emitOpError("expected reads that number ") << getDCaptures().size() << " d_captures, got " << number;
  auto schedule = dyn_cast<WarpTilesAttr>(getSchedule());
  if (!schedule || schedule.getRecheck()) // C7
    return emitOpError("expected warp tiles without recheck, got ") << getSchedule();
  return success();
}
