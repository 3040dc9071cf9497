//===- FoldShapes.cpp - Fold reshapes, transposes and slices --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}
static bool areAll(ArrayRef<int64_t> numbers, int64_t number) {
  return llvm::all_of(numbers, [&](int64_t other) { return other == number; });
}

namespace {
/// Folds reshape(x) to x if both have the same type, and reshape(reshape(x)) to one reshape.
struct FoldReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (op.getX().getType() == op.getType() && op.getType().getNumDynamicDims() <= 1 && !op.getSizes()) {
      rewriter.replaceOp(op, op.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<ReshapeOp>();
    bool follows = inner && (inner.getX().getType().hasStaticShape() || op.getType().getNumDynamicDims() <= 1);
    if (!inner || inner.getSizes() || !(follows || op.getSizes())) // what is listed is checked
      return rewriter.notifyMatchFailure(op, "expected a reshape of a reshape whose sizes do not follow from it");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getX(), op.getSizesAttr());
    return success();
  }
};

/// Folds transpose(x) to x if the permutation is the identity, and transpose(transpose(x)) to one transpose by the
/// composed permutation.
struct FoldTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    if (isIdentity(op.getPermutation()) && op.getX().getType() == op.getType()) {
      rewriter.replaceOp(op, op.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "expected a transpose of a transpose");
    SmallVector<int64_t> composed;
    for (int64_t dimension : op.getPermutation())
      composed.push_back(inner.getPermutation()[dimension]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getX(), composed);
    return success();
  }
};

/// Folds slice(x) to x if the slice is all of x, and slice(slice(x)) to one slice. Also folds slice(pad(x)) to x if the
/// slice is exactly the part of the pad that x fills.
struct FoldSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    if (op.getX().getType() == op.getType() && areAll(op.getOffsets(), 0) && areAll(op.getStrides(), 1) &&
        !op.getSizes()) {
      rewriter.replaceOp(op, op.getX());
      return success();
    }
    if (auto pad = op.getX().getDefiningOp<PadOp>();
        pad && pad.getX().getType() == op.getType() && pad.getLow() == op.getOffsets() && !op.getSizes() &&
        pad.getStartsAttr() == op.getStartsAttr() && pad.getStrides() == op.getStrides()) {
      rewriter.replaceOp(op, pad.getX());
      return success();
    }
    auto inner = op.getX().getDefiningOp<SliceOp>();
    if (!inner || inner.getStarts() || inner.getSizes() || op.getStarts() || op.getSizes())
      return rewriter.notifyMatchFailure(op, "expected a slice by numbers of a slice, of a pad or of everything");
    SmallVector<int64_t> offsets, strides;
    for (auto [offset, stride, nextOffset, nextStride] :
         llvm::zip(inner.getOffsets(), inner.getStrides(), op.getOffsets(), op.getStrides())) {
      offsets.push_back(offset + stride * nextOffset);
      strides.push_back(stride * nextStride);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getX(), offsets, strides);
    return success();
  }
};

/// Folds broadcast(x) to x if both have the same shape.
struct FoldBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    if (op.getX().getType() != op.getType() || op.getSizes())
      return rewriter.notifyMatchFailure(op, "expected a broadcast to the same shape");
    rewriter.replaceOp(op, op.getX());
    return success();
  }
};

/// Folds merge_heads(split_heads(x)) and split_heads(merge_heads(x)) to x.
template <typename OuterOp, typename InnerOp>
struct FoldHeads : OpRewritePattern<OuterOp> {
  using OpRewritePattern<OuterOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(OuterOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().template getDefiningOp<InnerOp>();
    if (!inner || inner.getX().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "expected the inverse of its operand's op");
    rewriter.replaceOp(op, inner.getX());
    return success();
  }
};

/// Folds the cast of a floating-point constant to another floating-point type.
struct FoldConstantCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &rewriter) const override {
    DenseFPElementsAttr constant;
    auto to = dyn_cast<FloatType>(op.getType().getElementType());
    if (!to || !matchPattern(op.getX(), m_Constant(&constant)))
      return rewriter.notifyMatchFailure(op, "expected a floating-point constant");
    auto convert = [&](APFloat value) {
      bool losesInformation;
      value.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInformation);
      return value.bitcastToAPInt();
    };
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, constant.mapValues(to, convert));
    return success();
  }
};
} // namespace

void xf::populateFoldShapes(RewritePatternSet &patterns) {
  patterns.add<FoldReshape, FoldTranspose, FoldSlice, FoldBroadcast, FoldHeads<MergeHeadsOp, SplitHeadsOp>,
               FoldHeads<SplitHeadsOp, MergeHeadsOp>, FoldConstantCast>(patterns.getContext());
}
