//===- Block.cpp - A pattern of blocks ------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult BlockPatternAttr::verifyPattern(EmitError emitError) const {
  if (failed(verifyAtLeast(emitError, "size", getSize(), 1))) // C1
    return failure();
  return verifySet(emitError, getOf()); // C2
}

void BlockPatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  getOf().addTokenRules(keysOfBlocks(block, getSize()), rules);
}
