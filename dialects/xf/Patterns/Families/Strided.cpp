//===- Strided.cpp - Strided attention (Child 2019) -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult StridedPatternAttr::verifyPattern(EmitError emitError) const {
  return verifyAtLeast(emitError, "stride", getStride(), 1); // C1
}

LogicalResult StridedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  if (getPart() != Part::k_column)
    out.push_back(set.ge(set.j, set.i - getStride()).ge(set.i, set.j).take());
  if (getPart() != Part::k_local)
    out.push_back(set.ge(set.i, set.j).equal((set.i - set.j) % getStride(), set.number(0)).take());
  return success();
}
