//===- Affine.cpp - Any quasi-affine set ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

/// Verifies that an expression is quasi-affine: one factor of each product is a constant, each divisor is a positive
/// constant, and no constant exceeds maxParameter in magnitude.
static LogicalResult verifyQuasiAffine(EmitError emitError, AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (constant.getValue() > maxParameter || constant.getValue() < -maxParameter) // C2
      return emitError() << "expected numbers up to " << maxParameter << " in an affine set, got "
                         << constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() == AffineExprKind::Add)
    return success();
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul) // C1
    return right ? success()
                 : LogicalResult(emitError() << "expected a constant factor in every product of an affine set");
  StringRef word = expr.getKind() == AffineExprKind::Mod        ? "mod"
                   : expr.getKind() == AffineExprKind::FloorDiv ? "floordiv"
                                                                : "ceildiv";
  if (!right) // C1
    return emitError() << "expected a positive constant on the right of " << word << ", got an expression";
  if (right.getValue() <= 0) // C1
    return emitError() << "expected a positive constant on the right of " << word << ", got " << right.getValue();
  return success();
}

LogicalResult AffinePatternAttr::verifyPattern(EmitError emitError) const {
  for (AffineExpr constraint : getSet().getConstraints()) {
    WalkResult result = constraint.walk([&](AffineExpr part) {
      return succeeded(verifyQuasiAffine(emitError, part)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult AffinePatternAttr::getConjunctions(Conjunctions &out) const {
  out.push_back(getSet());
  return success();
}
