//===- Table.cpp - Blocks that a table lists ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult TablePatternAttr::verifyPattern(EmitError emitError) const {
  return success(succeeded(verifyAtLeast(emitError, "block", getBlock(), 1)) && // C1
                 succeeded(verifyAtLeast(emitError, "columns", getColumns(), 0)));
}
