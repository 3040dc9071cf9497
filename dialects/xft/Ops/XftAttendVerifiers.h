//===- XftAttendVerifiers.h - Checks that ops of attention share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers that ops of attention share. Each one fails after an error at the op.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H
#define XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H

#include "dialects/xft/IR/XftOps.h"
#include "dialects/xft/Ops/XftOperandGroups.h"

namespace mlir::xft {

/// Returns true if the last dimension of a memref has a static size and stride 1, so that its rows are contiguous.
bool hasStaticRows(MemRefType type);

/// Verifies that each of `matrices` is a memref BxHxNxD with a static D and stride 1 along D.
inline LogicalResult verifyMatrices(Operation *op, ValueRange matrices) {
  for (Value matrix : matrices) {
    auto type = cast<MemRefType>(matrix.getType());
    if (type.getRank() != 4 || !hasStaticRows(type))
      return op->emitOpError("expected BxHxNxD with unit inner stride and a static D, got ") << type;
  }
  return success();
}

/// Verifies that the op has two data operands for each datum of its predicate.
template <typename OpTy>
LogicalResult verifyData(OpTy op) {
  size_t data = op.getTiles() ? op.getTiles()->getData().size() : 0;
  if (op.getData().size() != 2 * data)
    return op.emitOpError("expected two operands for each of ") << data << " data, got " << op.getData().size();
  return success();
}

/// Some schedules state the element type of operands of products. Verifies that this is the type of q, and a 16-bit
/// float.
template <typename OpTy>
LogicalResult verifyOperand(OpTy op) {
  auto tiles = dyn_cast<RegisterTilesAttr>(op.getSchedule());
  Type element = cast<MemRefType>(op.getQ().getType()).getElementType();
  if (tiles && tiles.getOperand() && (tiles.getOperand() != element || !(element.isBF16() || element.isF16())))
    return op.emitOpError("expected operands of products of a 16-bit float, that of q, got ")
           << tiles.getOperand() << " and q of " << element;
  return success();
}

/// Verifies that an op has the operand of flags if its schedule has warpgroups or the parameter recheck, and not
/// otherwise.
template <typename OpTy>
LogicalResult verifyFlags(OpTy op) {
  bool hasFlags = op.getWarpgroups() || op.getSchedule().getRecheck();
  if (hasFlags != (op.getFlags() != nullptr))
    return op.emitOpError("expected flags with warpgroups or recheck, and with nothing else");
  return success();
}

/// Verifies that a gradient op with warpgroups has no linear weights.
template <typename OpTy>
LogicalResult verifySoftmaxOfWarpgroups(OpTy op) {
  if (op.getWarpgroups() && op.getLinear())
    return op.emitOpError("expected warpgroups without linear weights");
  return success();
}

/// Verifies xft.attend_residues or its gradient. The op must have one piece with at least as many residues as lanes,
/// and blocks that are multiples of its register tile. Clauses that the op does not read must be absent.
template <typename OpTy>
LogicalResult verifyResidues(OpTy op) {
  QueryOrderAttr order = op.getOrder();
  if (order.getPieces().size() != 1 || order.getTiles())
    return op.emitOpError("expected one piece without tiles, got ") << order;
  if (!op.getData().empty() || !op.getCaptures().empty() || op.getSeed() || op.getPart() || op.getDropout() ||
      op.getLinear())
    return op.emitOpError("expected neither data, captures, seed nor part, and a softmax without dropout");
  ResiduesTileAttr tile = op.getTile();
  xf::PieceAttr piece = op.getPiece();
  if (!piece.hasAdjacentResidues() || piece.getResidues() < tile.getLanes())
    return op.emitOpError("expected queries and keys r, r + R, .. of at least ")
           << tile.getLanes() << " residues, got " << piece;
  if (tile.getRows() < 1 || tile.getKeys() < 1 || tile.getLanes() < 2 || tile.getQueries() % tile.getRows() != 0 ||
      tile.getRanks() % tile.getKeys() != 0)
    return op.emitOpError("expected blocks that are multiples of the register tile, got ") << tile;
  return success();
}

/// Verifies xft.attend_stencil or its gradient. The op must have a piece for each line of its box, with queries and
/// keys in order, and a tile of positive sizes. Clauses that the op does not read must be absent.
template <typename OpTy>
LogicalResult verifyStencil(OpTy op) {
  QueryOrderAttr order = op.getOrder();
  StencilTileAttr tile = op.getTile();
  auto isInOrder = [](Attribute attribute) {
    auto piece = cast<xf::PieceAttr>(attribute);
    return piece.getQueries().isIdentity() && piece.getKeys().isIdentity();
  };
  if (int64_t(order.getPieces().size()) != tile.getLines() || order.getTiles() ||
      !llvm::all_of(order.getPieces(), isInOrder))
    return op.emitOpError("expected ") << tile.getLines() << " pieces with identity maps and no tiles, got " << order;
  if (!op.getData().empty() || !op.getCaptures().empty() || op.getSeed() || op.getPart() || op.getDropout() ||
      op.getLinear())
    return op.emitOpError("expected neither data, captures, seed nor part, and a softmax without dropout");
  if (tile.getRows() < 1 || tile.getColumns() < 1 || tile.getLanes() < 2 || tile.getLines() < 1 ||
      tile.getShifts() < 1 || tile.getLength() < tile.getLanes())
    return op.emitOpError("expected positive sizes and lines of at least as many columns as lanes, got ") << tile;
  return success();
}

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_OPS_XFTATTENDVERIFIERS_H
