//===- Permuted.cpp - A pattern of permuted positions ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult PermutePatternAttr::verifyPattern(EmitError emitError) const {
  llvm::BitVector seen(getTable().size());
  for (int64_t position : getTable()) {
    bool isPosition = position >= 0 && position < static_cast<int64_t>(getTable().size());
    if (!isPosition || seen.test(position)) // C1
      return emitError() << "expected a permutation of " << getTable().size() << " positions, got " << position
                         << (isPosition ? " twice" : "");
    seen.set(position);
  }
  return verifySet(emitError, getOf()); // C2
}

void PermutePatternAttr::addTokenRules(int64_t block, SmallVectorImpl<TokenRule> &rules) const {
  int64_t size = getTable().size();
  rules.push_back({block, size, false, llvm::formatv("in a permutation of {0} positions", size)});
  getOf().addTokenRules(block, rules);
}
