//===- ParameterChecks.cpp - Checks of the parameters of patterns ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::verifyAtLeast(EmitError emitError, StringRef name, int64_t value, int64_t minimum) {
  if (value < minimum)
    return emitError() << "expected " << name << " >= " << minimum << ", got " << value;
  if (value > maxParameter)
    return emitError() << "expected " << name << " <= " << maxParameter << ", got " << value;
  return success();
}

LogicalResult xf::verifySet(EmitError emitError, xf::Pattern pattern) {
  if (isa<KernelizedPatternAttr, LowRankPatternAttr>(pattern))
    return emitError() << "expected a set of pairs inside a pattern, got " << pattern
                       << (isa<LowRankPatternAttr>(pattern) ? ": projected keys have no positions" : "");
  return pattern.verifyPattern(emitError);
}
