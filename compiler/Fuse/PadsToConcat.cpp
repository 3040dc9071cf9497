//===- PadsToConcat.cpp - Sums of pads to concat --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Rewrites a sum pad(a, 0) + pad(b, |a|) + .. of pads that fill a tensor to concat(a, b, ..). Such sums are gradients
/// of slices that cut a tensor into parts.
struct PadsToConcat : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    SmallVector<PadOp> pads;
    for (Value input : map.getInputs())
      if (auto pad = input.getDefiningOp<PadOp>();
          pad && pad.getType() == map.getType() && !pad.getStarts() && !pad.getSizes())
        pads.push_back(pad);
    if (pads.size() < 2 || pads.size() != map.getInputs().size() || !isSum(map))
      return rewriter.notifyMatchFailure(map, "expected a sum of pads");
    int64_t axis = 0;
    while (axis < map.getType().getRank() - 1 &&
           pads[0].getX().getType().getDimSize(axis) == map.getType().getDimSize(axis))
      ++axis;
    llvm::sort(pads, [&](PadOp a, PadOp b) { return a.getLow()[axis] < b.getLow()[axis]; });
    if (!areParts(pads, axis))
      return rewriter.notifyMatchFailure(map, "expected pads that follow one another along one axis");
    SmallVector<Value> parts;
    for (PadOp pad : pads)
      parts.push_back(pad.getX());
    rewriter.replaceOpWithNewOp<ConcatOp>(map, map.getType(), parts, axis);
    return success();
  }

  /// Returns true if the region yields the sum of its arguments, with each argument once.
  static bool isSum(MapOp map) {
    Block &body = map.getBody().front();
    return llvm::all_of(body.getArguments(), [](Value argument) { return argument.hasOneUse(); }) &&
           llvm::all_of(body.without_terminator(),
                        [](Operation &op) { return isa<arith::AddFOp>(op) && op.hasOneUse(); });
  }

  /// Returns true if the pads fill `axis` without gaps or overlaps and cover the other dimensions entirely.
  static bool areParts(MutableArrayRef<PadOp> pads, int64_t axis) {
    int64_t filled = 0;
    for (PadOp pad : pads) {
      ArrayRef<int64_t> from = pad.getX().getType().getShape(), to = pad.getType().getShape();
      for (int64_t d = 0; d < static_cast<int64_t>(from.size()); ++d) {
        bool whole = pad.getLow()[d] == 0 && from[d] == to[d];
        if (pad.getStrides()[d] != 1 || (d != axis && !whole))
          return false;
      }
      if (ShapedType::isDynamic(from[axis]) || pad.getLow()[axis] != filled)
        return false;
      filled += from[axis];
    }
    return filled == pads.front().getType().getDimSize(axis);
  }
};
} // namespace

void xf::populatePadsToConcat(RewritePatternSet &patterns) { patterns.add<PadsToConcat>(patterns.getContext()); }
