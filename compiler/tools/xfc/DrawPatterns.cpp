//===- DrawPatterns.cpp - Pictures of a program's patterns ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/DrawPatterns.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Identifies a row of the picture by pattern, solutions, number of queries and number of keys. Attentions with equal
/// keys share a row.
using Key = std::tuple<Attribute, Attribute, int64_t, int64_t>;
} // namespace

/// Returns the sizes at which to draw an attention: its own sizes if they are static and small, else sizes that show
/// the pattern well.
static pattern::CallSizes chooseSizes(AttentionOp op, ArrayRef<SolutionAttr> solutions, const XfcOptions &options) {
  constexpr int64_t smallEnough = 256;
  if (options.patternSize != 0)
    return {options.patternSize, options.patternSize};
  int64_t numQueries = op.getQ().getType().getDimSize(2), numKeys = op.getK().getType().getDimSize(2);
  auto isSmall = [](int64_t size) { return !ShapedType::isDynamic(size) && size <= smallEnough; };
  if (isSmall(numQueries) && isSmall(numKeys))
    return {numQueries, numKeys};
  int64_t size = options.patternHeight ? options.patternHeight * options.patternWidth : pattern::pictureSize(solutions);
  return {size, size};
}

/// Some solutions depend on the sizes of a call. Replaces such `solutions` by the solutions for the sizes and for the
/// head that the picture shows. Fails after an error.
static LogicalResult drawAnew(AttentionOp op, const pattern::CallSizes &sizes, int64_t head,
                              SmallVectorImpl<SolutionAttr> &solutions) {
  if (!pattern::needsCall(op.getPattern()))
    return success();
  auto emitError = [&] { return op.emitError(); };
  FailureOr<SmallVector<SolutionAttr>> drawn =
      pattern::solveFirstHeads(op.getPattern(), emitError, sizes.numQueries, sizes.numKeys, head + 1);
  if (succeeded(drawn))
    solutions.assign(drawn->begin(), drawn->end());
  return drawn;
}

/// Returns the options of the picture. If tiles are requested, takes them from `attention`, the JSON object that
/// explains the attention.
static pattern::PictureOptions pictureOptions(const llvm::json::Object &attention, const XfcOptions &options) {
  pattern::PictureOptions result;
  result.height = options.patternHeight, result.width = options.patternWidth, result.query = options.patternQuery;
  result.head = options.patternHead;
  if (const llvm::json::Object *tile = options.patternTiles ? attention.getObject("drawn_tile") : nullptr) {
    result.tileRows = *tile->getInteger("rows"), result.tileColumns = *tile->getInteger("columns");
    result.lanes = *tile->getInteger("lanes");
  }
  return result;
}

/// Verifies that the sizes requested by the user fit the pattern and the grid.
static LogicalResult verifySizes(AttentionOp op, const pattern::CallSizes &sizes, const XfcOptions &options,
                                 const pattern::PictureOptions &picture) {
  auto emitError = [&] { return op.emitError(); };
  bool isAsked = options.patternSize != 0 || options.patternHeight != 0;
  if (isAsked && failed(verifyTokens(op.getPattern(), sizes.numKeys, emitError)))
    return failure();
  return pattern::verifyPicture(picture, sizes, emitError);
}

/// Returns whether the pairs of the attention do not depend on operands of a call.
static bool isDrawable(AttentionOp op) {
  auto entries = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  return entries && !entries.empty() && !pattern::asksOperands(op.getPattern());
}

/// Emits an error at the first attention of the module, or at the module itself if it has no attention.
static InFlightDiagnostic refuse(ModuleOp module) {
  Operation *at = module;
  module.walk([&](AttentionOp op) {
    at = op;
    return WalkResult::interrupt();
  });
  return at->emitError("expected an attention whose pattern is a set that is known without operands to draw, got none");
}

FailureOr<pattern::Picture> xf::drawPatterns(ModuleOp module, const llvm::json::Array &attentions,
                                             const XfcOptions &options) {
  pattern::Picture picture;
  llvm::SetVector<Key> drawn;
  auto explained = attentions.begin();
  WalkResult result = module.walk([&](Operation *any) {
    if (!isa<AttentionOp, AttentionVjpOp>(any))
      return WalkResult::advance();
    const llvm::json::Object &attention = *(explained++)->getAsObject();
    auto op = dyn_cast<AttentionOp>(any);
    if (!op || !isDrawable(op))
      return WalkResult::advance();
    auto entries = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
    SmallVector<SolutionAttr> solutions(entries.getAsRange<SolutionAttr>());
    pattern::CallSizes sizes = chooseSizes(op, solutions, options);
    pattern::PictureOptions chosen = pictureOptions(attention, options);
    if (failed(verifySizes(op, sizes, options, chosen)) || failed(drawAnew(op, sizes, options.patternHead, solutions)))
      return WalkResult::interrupt();
    if (drawn.insert({op.getPattern(), entries, sizes.numQueries, sizes.numKeys}))
      picture.push_back(pattern::drawPattern(op.getPattern(), solutions, sizes, chosen));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (picture.empty())
    return refuse(module);
  return picture;
}
