//===- ChangePairs.cpp - Other pairs for an attention ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/ChangePairs.h"
#include "compiler/Pattern/Set/PatternImporter.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the size of dimension `dim` of q (`operand` is 0) or k (1).
static int64_t sizeOf(Operation *attention, unsigned operand, unsigned dim) {
  return cast<RankedTensorType>(attention->getOperand(operand).getType()).getDimSize(dim);
}

static xf::Pattern patternOf(Operation *attention) {
  return llvm::TypeSwitch<Operation *, xf::Pattern>(attention).Case<AttentionOp, AttentionVjpOp>(
      [](auto op) { return op.getPattern(); });
}

/// Replaces the pattern of an attention, or of its gradient, and solves it. Fails after an error.
static LogicalResult setPattern(Operation *attention, xf::Pattern pattern) {
  constexpr unsigned heads = 1, tokens = 2;
  std::optional<pattern::StaticCall> call;
  if (pattern::needsCall(pattern))
    call = pattern::StaticCall{sizeOf(attention, 0, tokens), sizeOf(attention, 1, tokens), sizeOf(attention, 0, heads)};
  FailureOr<SmallVector<SolutionAttr>> solved =
      pattern::solveHeads(pattern, [&] { return attention->emitError(); }, call);
  if (failed(solved))
    return failure();
  SmallVector<Attribute> solutions(solved->begin(), solved->end());
  attention->setAttr(kSolutionAttrName, ArrayAttr::get(attention->getContext(), solutions));
  llvm::TypeSwitch<Operation *>(attention).Case<AttentionOp, AttentionVjpOp>(
      [&](auto op) { op.setPatternAttr(pattern); });
  return success();
}

/// Returns the pattern of all pairs of the queries `rows`, which are ascending intervals of row numbers.
static xf::Pattern patternOfRows(Operation *attention, ArrayRef<Interval> rows) {
  constexpr unsigned tokens = 2;
  constexpr int64_t farthest = int64_t(1) << 31;
  int64_t queries = sizeOf(attention, 0, tokens), first = sizeOf(attention, 1, tokens) - queries;
  SmallVector<Interval> positions;
  for (Interval some : rows)
    positions.push_back({first + some.lower, first + some.upper});
  xf::Pattern listed = QueriesPatternAttr::get(attention->getContext(), positions, /*mod=*/0);
  if (pattern::isLongList(listed))
    return listed;
  if (rows.front().lower == 0) // the ends go on where no rows are: what is left has fewer pieces
    positions.front().lower = -farthest;
  if (rows.back().upper == queries)
    positions.back().upper = farthest;
  return QueriesPatternAttr::get(attention->getContext(), positions, /*mod=*/0);
}

LogicalResult pattern::removeQueries(Operation *attention, ArrayRef<Interval> rows) {
  MLIRContext *context = attention->getContext();
  xf::Pattern removed = patternOfRows(attention, rows);
  FailureOr<SmallVector<xf::Pattern>> heads =
      patternsOfHeads(patternOf(attention), [&] { return attention->emitError(); });
  if (failed(heads))
    return failure();
  for (xf::Pattern &pattern : *heads)
    pattern = DifferencePatternAttr::get(context, ArrayRef<xf::Pattern>{pattern, removed});
  return setPattern(attention, heads->size() == 1 ? heads->front() : HeadsPatternAttr::get(context, *heads));
}

LogicalResult pattern::addAllPairs(Operation *attention) {
  return setPattern(attention, DensePatternAttr::get(attention->getContext()));
}
