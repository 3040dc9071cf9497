//===- Random.cpp - Random keys, BigBird (Zaheer 2020) --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult RandomPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyAtLeast(emitError, "count", getCount(), 0))) // C1
    return failure();
  return getOutside() ? verifySet(emitError, getOutside()) : success(); // C2
}

void RandomPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  if (getOutside())
    getOutside().addTokenRules(block, rules);
}

LogicalResult BigBirdPatternAttr::verifyPattern(EmitError emitError) const {
  return success(succeeded(verifyAtLeast(emitError, "block", getBlock(), 1)) && // C1
                 succeeded(verifyAtLeast(emitError, "window", getWindow(), 0)) &&
                 succeeded(verifyAtLeast(emitError, "global", getGlobal(), 0)) &&
                 succeeded(verifyAtLeast(emitError, "random", getRandom(), 0)));
}
