//===- Prefix.cpp - Causal pairs and a prefix -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult PrefixPatternAttr::verifyPattern(EmitError emitError) const {
  return getLength() ? verifyAtLeast(emitError, "length", *getLength(), 0) : success(); // C1
}

LogicalResult PrefixPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext(), getLength() ? 2 : 3);
  AffineExpr length = getLength() ? set.number(*getLength()) : set.symbol(2);
  out.push_back(set.ge(set.i, set.j).take());
  out.push_back(set.ge(length - 1, set.j).take());
  return success();
}
