//===- XftAttendAttributes.cpp - What ops of attention share --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"

using namespace mlir;
using namespace mlir::xft;

LogicalResult WarpgroupTilesAttr::verify(function_ref<InFlightDiagnostic()> emitError, AttendTileAttr,
                                         WarpgroupsAttr warpgroups, bool) {
  if (warpgroups.getConsumers() < 1 || warpgroups.getStages() < 1) // C1
    return emitError() << "expected at least one consumer warpgroup and one stage, got " << warpgroups;
  return success();
}

LogicalResult QueryOrderAttr::verify(function_ref<InFlightDiagnostic()> emitError, xf::IndexMapAttr queries,
                                     int64_t residues, ArrayAttr pieces, DenseI64ArrayAttr, xf::TilesAttr tiles,
                                     int64_t firstHead, int64_t headStep) {
  for (Attribute attribute : pieces) {
    auto piece = dyn_cast<xf::PieceAttr>(attribute);
    if (!piece)
      return emitError() << "expected pieces of a solved pattern, got " << attribute;
    if (piece.getQueries() != queries || piece.getResidues() != residues) // C1
      return emitError() << "expected pieces in the order " << queries << " of queries, got " << piece.getQueries();
    if (tiles && (pieces.size() != 1 || !queries.isIdentity() || !piece.getKeys().isIdentity())) // C2
      return emitError() << "expected one piece with identity maps beside tiles, got " << pieces;
  }
  if (firstHead < 0 || headStep < 1) // C3
    return emitError() << "expected a first head from 0 on and a step from 1 on, got " << firstHead << " and "
                       << headStep;
  return success();
}

QueryOrderAttr QueryOrderAttr::of(xf::PieceAttr piece, xf::TilesAttr tiles, int64_t firstHead, int64_t headStep) {
  MLIRContext *context = piece.getContext();
  return get(context, piece.getQueries(), piece.getResidues(), ArrayAttr::get(context, {piece}), {}, tiles, firstHead,
             headStep);
}

ArrayRef<int64_t> QueryOrderAttr::getBufferNumbers() const {
  return getBuffers() ? getBuffers().asArrayRef() : ArrayRef<int64_t>();
}

LogicalResult WeightsAttr::verify(function_ref<InFlightDiagnostic()> emitError, FloatAttr, FloatAttr dropout,
                                  bool linear) {
  if (linear && dropout) // C1
    return emitError() << "expected linear weights without dropout";
  return success();
}

LogicalResult ScanScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, AttendTileAttr, ScanPhaseAttr,
                                       int64_t slice, Type) {
  if (slice < 1) // C1
    return emitError() << "expected slices of at least one chunk, got " << slice;
  return success();
}
