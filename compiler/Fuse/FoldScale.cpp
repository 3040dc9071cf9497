//===- FoldScale.cpp - Fold factors of queries into the scale -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;

/// Returns the constant c if `map` has the form map(x) { x c }, else nullopt.
static std::optional<double> constantFactor(MapOp map) {
  Block &body = map.getBody().front();
  auto product = body.getTerminator()->getOperand(0).getDefiningOp<arith::MulFOp>();
  FloatAttr factor;
  if (map.getInputs().size() != 1 || !product || product.getLhs() != body.getArgument(0) ||
      !matchPattern(product.getRhs(), m_Constant(&factor)))
    return std::nullopt;
  return factor.getValueAsDouble();
}

static bool isKernelized(AttentionOp op) { return isa<KernelizedPatternAttr>(op.getPattern()); }

namespace {
/// Rewrites attention(x c, k, v, scale s) to attention(x, k, v, scale c s) if only this op reads the product x c.
/// Leaves kernelised attention alone, because its feature maps read x c and not the scale.
struct FoldScale : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    auto map = op.getQ().getDefiningOp<MapOp>();
    std::optional<double> factor = map && op.getQ().hasOneUse() ? constantFactor(map) : std::nullopt;
    int64_t depth = op.getQ().getType().getDimSize(3);
    if (!factor || isKernelized(op) || map.getInputs()[0].getType() != map.getType() ||
        (!op.getScale() && ShapedType::isDynamic(depth)))
      return rewriter.notifyMatchFailure(op, "expected queries that are a tensor times a constant");
    double scale = op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(double(depth));
    rewriter.modifyOpInPlace(op, [&] {
      op.getQMutable().assign(map.getInputs()[0]);
      op.setScaleAttr(rewriter.getF64FloatAttr(scale * *factor));
    });
    return success();
  }
};
} // namespace

void xf::populateFoldScale(RewritePatternSet &patterns) { patterns.add<FoldScale>(patterns.getContext()); }
