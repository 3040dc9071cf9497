//===- Lift.cpp - A pattern along one axis of a grid ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/GridAxes.h"
#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult LiftPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyExtents(emitError, getExtents())))
    return failure();
  if (getAxis() < 0 || getAxis() >= getExtents().size()) // C2
    return emitError() << "expected an axis in [0, " << getExtents().size() << "), got " << getAxis();
  if (failed(verifySet(emitError, getOf()))) // C3
    return failure();
  return verifyTokens(getOf(), getExtents()[getAxis()], emitError); // C3
}

void LiftPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  rules.push_back(gridRule(getExtents(), block));
}
