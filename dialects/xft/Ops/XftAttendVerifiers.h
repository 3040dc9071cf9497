//===- XftAttendVerifiers.h - Checks that ops of attention share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each check fails after an error at the op.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H
#define XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H

#include "dialects/xft/IR/XftAttendScratch.h"
#include "dialects/xft/Ops/XftOperandGroups.h"

namespace mlir::xft {

/// Checks matrices BxHxNxD.
inline LogicalResult verifyMatrices(Operation *op, ValueRange matrices) {
  for (Value matrix : matrices) {
    auto type = cast<MemRefType>(matrix.getType());
    if (type.getRank() != 4 || !hasStaticRows(type))
      return op->emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << type;
  }
  return success();
}

/// Checks that every datum of a predicate has two operands.
template <typename OpTy>
LogicalResult verifyData(OpTy op) {
  size_t data = op.getTiles() ? op.getTiles()->getData().size() : 0;
  if (op.getData().size() != 2 * data)
    return op.emitOpError("expected two operands for each of ") << data << " data, got " << op.getData().size();
  return success();
}

/// Checks what goes with schedules of warpgroups, and which have flags.
template <typename OpTy>
LogicalResult verifyFlags(OpTy op) {
  bool hasFlags = op.getWarpgroups() || op.getSchedule().getRecheck();
  if (hasFlags != (op.getFlags() != nullptr))
    return op.emitOpError("expected flags with warpgroups or recheck, and with nothing else");
  if (op.getWarpgroups() && (!op.getScore().empty() || op.getTiles() || op.getDropout() || op.getLinear()))
    return op.emitOpError("expected warpgroups without score region, tiles, dropout and linear weights");
  return success();
}

/// Checks that ops in lanes have none of the clauses that they do not read, and the tile's relation to the piece.
template <typename OpTy>
LogicalResult verifyLanes(OpTy op) {
  QueryOrderAttr order = op.getOrder();
  if (order.getPieces().size() != 1 || order.getTiles())
    return op.emitOpError("expected one piece without tiles, got ") << order;
  if (!op.getData().empty() || !op.getCaptures().empty() || op.getSeed() || op.getDropout() || op.getLinear())
    return op.emitOpError("expected neither data, captures nor seed, and a softmax without dropout");
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

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H
