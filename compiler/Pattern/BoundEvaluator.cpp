//===- BoundEvaluator.cpp - A piece's bounds at concrete sizes ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/BoundEvaluator.h"
#include "compiler/Pattern/Import.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

BoundEvaluator::BoundEvaluator(PieceAttr piece, Direction direction, int64_t numQueries, int64_t numKeys,
                               ArrayRef<int64_t> runTimeSymbols)
    : system(3 + runTimeSymbols.size()), symbols{numQueries, numKeys} {
  symbols.append(runTimeSymbols.begin(), runTimeSymbols.end());
  bool isForward = direction == kKeysOfQuery;
  box = {isForward ? 0 : numKeys - numQueries, numKeys - 1};
  import(isForward ? piece.getLower() : piece.getQueryLower(), lower);
  import(isForward ? piece.getUpper() : piece.getQueryUpper(), upper);
  import(isForward ? piece.getRows() : piece.getColumns(), conditions);
}

void BoundEvaluator::import(AffineMap map, SmallVectorImpl<LinearForm> &forms) {
  if (!map)
    return;
  SmallVector<LinearForm, 8> symbolForms;
  for (unsigned k = 0; k < symbols.size(); ++k)
    symbolForms.push_back(system.variable(1 + k));
  for (AffineExpr expr : map.getResults())
    forms.push_back(importSolved(system, expr, system.variable(0), symbolForms));
}

KeyRange BoundEvaluator::operator()(int64_t index) const {
  SmallVector<int64_t, 16> values = {index};
  values.append(symbols.begin(), symbols.end());
  system.evaluateDivisions(values);
  for (const LinearForm &condition : conditions)
    if (System::evaluate(condition, values) < 0)
      return {0, -1};
  KeyRange range = box;
  for (const LinearForm &bound : lower)
    range.lower = std::max(range.lower, System::evaluate(bound, values));
  for (const LinearForm &bound : upper)
    range.upper = std::min(range.upper, System::evaluate(bound, values));
  return range;
}
