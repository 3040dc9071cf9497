//===- XftLanesOps.cpp - Rows in lanes: verification ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/Ops/XftAttendVerifiers.h"

using namespace mlir;
using namespace mlir::xft;

LogicalResult AttendResiduesOp::verify() {
  if (failed(verifyRowState(*this, getState())) || failed(verifyAttendClauses(*this, getClauses())) ||
      failed(verifyMatrices(*this, {getQ(), getK(), getV(), getO()}))) // C1
    return failure();
  if (getSave() && getSums().size() != 2) // C4
    return emitOpError("expected two buffers of state, m and l, got ") << getSums().size();
  if (getSave() && !getKept().empty()) // C4
    return emitOpError("expected kept with the last query order of a softmax, got save");
  return verifyResidues(*this); // C2, C3, C5
}

LogicalResult AttendResiduesVjpOp::verify() {
  if (failed(verifyAttendClauses(*this, getClauses())) ||
      failed(verifyMatrices(*this, {getQ(), getK(), getV(), getDO(), getDQ(), getDK(), getDV()}))) // C1
    return failure();
  if (getAssigns() && getHeadStep() != 1) // C4
    return emitOpError("expected one solution for all heads where gradients are assigned, got ") << getHeadStep();
  return verifyResidues(*this); // C2, C3, C5
}

LogicalResult AttendStencilOp::verify() {
  if (failed(verifyRowState(*this, getState())) || failed(verifyAttendClauses(*this, getClauses())) ||
      failed(verifyMatrices(*this, {getQ(), getK(), getV(), getO()}))) // C1
    return failure();
  if (!getSums().empty()) // C5
    return emitOpError("expected no state of an earlier or for a later launch, got ") << getSums().size() << " buffers";
  return verifyStencil(*this); // C2, C3, C4
}

LogicalResult AttendStencilVjpOp::verify() {
  if (failed(verifyAttendClauses(*this, getClauses())) ||
      failed(verifyMatrices(*this, {getQ(), getK(), getV(), getDO(), getDQ(), getDK(), getDV()}))) // C1
    return failure();
  if (getAssigns() && getHeadStep() != 1) // C4
    return emitOpError("expected one solution for all heads where gradients are assigned, got ") << getHeadStep();
  if (getStrip() < 1) // C6
    return emitOpError("expected strips of at least one group of lines, got ") << getStrip();
  return verifyStencil(*this); // C2, C3, C5
}
