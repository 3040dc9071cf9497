//===- DrawPatterns.cpp - Pictures of a program's patterns -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/DrawPatterns.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Rows are told apart by this.
using Key = std::tuple<Attribute, Attribute, int64_t, int64_t>;
} // namespace

/// The sizes to draw an attention at: its own where they are static and small, else what shows the pattern.
static pattern::CallSizes chooseSizes(AttentionOp op, ArrayRef<SolutionAttr> solutions, int64_t wanted) {
  constexpr int64_t smallEnough = 256;
  if (wanted != 0)
    return {wanted, wanted};
  int64_t numQueries = op.getQ().getType().getDimSize(2), numKeys = op.getK().getType().getDimSize(2);
  auto isSmall = [](int64_t size) { return !ShapedType::isDynamic(size) && size <= smallEnough; };
  if (isSmall(numQueries) && isSmall(numKeys))
    return {numQueries, numKeys};
  int64_t size = pattern::pictureSize(solutions);
  return {size, size};
}

/// What a picture of other sizes than the call's shows of random patterns.
static LogicalResult drawAnew(AttentionOp op, const pattern::CallSizes &sizes,
                              SmallVectorImpl<SolutionAttr> &solutions) {
  if (!pattern::needsCall(op.getPattern()))
    return success();
  pattern::StaticCall call{sizes.numQueries, sizes.numKeys, /*numHeads=*/1};
  FailureOr<SmallVector<SolutionAttr>> drawn =
      pattern::solveHeads(op.getPattern(), [&] { return op.emitError(); }, call);
  if (succeeded(drawn))
    solutions.assign(drawn->begin(), drawn->end());
  return drawn;
}

FailureOr<pattern::Picture> xf::drawPatterns(ModuleOp module, const XfcOptions &options) {
  pattern::Picture picture;
  llvm::SetVector<Key> drawn;
  module.walk([&](AttentionOp op) {
    auto entries = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
    if (!entries || entries.empty() || !op.getSymbols().empty())
      return;
    SmallVector<SolutionAttr> solutions(entries.getAsRange<SolutionAttr>());
    pattern::CallSizes sizes = chooseSizes(op, solutions, options.patternSize);
    if (failed(drawAnew(op, sizes, solutions)))
      return;
    if (drawn.insert({op.getPattern(), entries, sizes.numQueries, sizes.numKeys}))
      picture.push_back(pattern::drawPattern(op.getPattern(), solutions, sizes));
  });
  if (picture.empty())
    return module.emitError("expected an attention whose pattern is a static set to draw, got none");
  return picture;
}
