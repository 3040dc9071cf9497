//===- PatternChecks.cpp - What is asked of a pattern and its operands ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Operation.h"
#include "test/reference/attention/PatternSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

bool reference::isCausal(xf::Pattern pattern) {
  auto endsAtQuery = [](Bound right) { return right.value && *right.value <= 0; };
  return TypeSwitch<Attribute, bool>(pattern)
      .Case<CausalPatternAttr, StridedPatternAttr, FixedPatternAttr>([](auto) { return true; })
      .Case<WindowPatternAttr, DilatedPatternAttr>([&](auto a) { return endsAtQuery(a.getRight()); })
      .Case<UnionPatternAttr, HeadsPatternAttr>([](auto a) { return llvm::all_of(a.getMembers(), isCausal); })
      .Case([](IntersectionPatternAttr a) { return llvm::any_of(a.getMembers(), isCausal); })
      .Case([](DifferencePatternAttr a) { return isCausal(a.getMembers()[0]); })
      .Case([](GridPatternAttr a) {
        bool isPlain = a.getGranularity() == Granularity::k_token && a.getQueries() == GridQueries::k_all;
        return isPlain && isCausal(a.getOf());
      })
      .Default(false);
}

LogicalResult reference::verifyTable(Operation *op, const PatternClauses &clauses) {
  if (!clauses.tableOffsets)
    return success();
  int64_t last = 0, columns = clauses.tableColumns->size();
  for (int64_t offset : clauses.tableOffsets->integers) {
    if (offset < last || offset > columns)
      return op->emitError("expected table offsets that do not decrease, in [0, ") << columns << "], got " << offset;
    last = offset;
  }
  return success();
}
