//===- Fixed.cpp - Fixed attention (Child 2019) ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult FixedPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyAtLeast(emitError, "block", getBlock(), 1)) ||
      failed(verifyAtLeast(emitError, "summary", getSummary(), 1)) ||
      failed(verifyAtLeast(emitError, "slot", getSlot(), 0))) // C1
    return failure();
  if (getSummary() > getBlock() / (getSlot() + 1)) // C2
    return emitError() << "expected summary (slot + 1) <= block, got summary = " << getSummary()
                       << ", slot = " << getSlot() << ", block = " << getBlock();
  return success();
}

LogicalResult FixedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  int64_t block = getBlock();
  if (getPart() != Part::k_column)
    out.push_back(set.ge(set.i, set.j).equal(set.i.floorDiv(block), set.j.floorDiv(block)).take());
  if (getPart() == Part::k_local)
    return success();
  int64_t lower = block - getSummary() * (getSlot() + 1), upper = block - getSummary() * getSlot();
  set.ge(set.i, set.j).ge(set.j % block, set.number(lower));
  if (upper < block)
    set.ge(set.number(upper - 1), set.j % block);
  out.push_back(set.take());
  return success();
}
