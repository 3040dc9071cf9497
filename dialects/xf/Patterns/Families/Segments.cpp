//===- Segments.cpp - Segments of tokens, and their relation --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult SegmentsPatternAttr::verifyPattern(EmitError emitError) const {
  if (!getRelation())
    return success();
  size_t columns = getRelation().empty() ? 0
                                         : llvm::TypeSwitch<Attribute, size_t>(getRelation()[0])
                                               .Case([](ArrayAttr row) { return row.size(); })
                                               .Default(size_t(0));
  auto isBit = [](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && (number.getValue().isZero() || number.getValue().isOne());
  };
  for (Attribute element : getRelation()) {
    auto row = dyn_cast<ArrayAttr>(element);
    if (!row || row.size() != columns || !llvm::all_of(row, isBit)) // C1
      return emitError() << "expected a relation of rows of " << columns << " numbers 0 or 1, got " << element;
  }
  return success();
}
