//===- ToProduct.cpp - linear and matmul to xf.product --------------------===//
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
/// Rewrites linear(x, w, b) to product(x, w transposed) { p + b }, where p is an element of x w^T.
struct LinearToProduct : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearOp op, PatternRewriter &rewriter) const override {
    RankedTensorType xType = op.getX().getType(), yType = op.getY().getType();
    Value x = op.getX();
    if (xType.getRank() == 1) { // a row is a matrix of one row
      x = ReshapeOp::create(rewriter, op.getLoc(), xType.clone({1, xType.getDimSize(0)}), x);
      yType = yType.clone({1, yType.getDimSize(0)});
    }
    SmallVector<Value> extras;
    if (op.getBias())
      extras.push_back(op.getBias());
    auto epilogue = [&](OpBuilder &builder, ValueRange scalars) -> SmallVector<Value> {
      if (scalars.size() == 1)
        return {scalars[0]};
      return {arith::AddFOp::create(builder, op.getLoc(), scalars[0], scalars[1])};
    };
    auto product = ProductOp::create(rewriter, op.getLoc(), yType, x, false, op.getWeight(), true, extras, epilogue);
    if (yType != op.getType())
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product.getResult(0));
    else
      rewriter.replaceOp(op, product);
    return success();
  }
};

/// Rewrites matmul(a, b) to product(a, b) { p }, where p is an element of a b.
struct MatmulToProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto epilogue = [](OpBuilder &, ValueRange scalars) -> SmallVector<Value> { return {scalars[0]}; };
    auto product = ProductOp::create(rewriter, op.getLoc(), op.getType(), op.getA(), op.getTransposeA(), op.getB(),
                                     op.getTransposeB(), ValueRange(), epilogue);
    rewriter.replaceOp(op, product);
    return success();
  }
};

/// Rewrites matmul(cast(a), cast(b)) to product(a, b) { p }. Both casts must convert from the same 16-bit type to the
/// type in which products of this type are summed. The result is the same, and kernels multiply 16-bit operands
/// directly.
struct WidenedMatmulToProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto a = op.getA().getDefiningOp<CastOp>(), b = op.getB().getDefiningOp<CastOp>();
    Type element = a ? a.getX().getType().getElementType() : Type();
    if (!a || !b || element != b.getX().getType().getElementType() || element.getIntOrFloatBitWidth() != 16 ||
        !isa<FloatType>(element) || op.getType().getElementType() != accumulatorType(element))
      return rewriter.notifyMatchFailure(op, "expected factors widened from one type of 16 bits");
    auto epilogue = [](OpBuilder &, ValueRange scalars) -> SmallVector<Value> { return {scalars[0]}; };
    rewriter.replaceOp(op, ProductOp::create(rewriter, op.getLoc(), op.getType(), a.getX(), op.getTransposeA(),
                                             b.getX(), op.getTransposeB(), ValueRange(), epilogue));
    return success();
  }
};

/// Folds transposes of the last two dimensions of a factor into the product's flags: rewrites product(transpose(a), b)
/// to product(a transposed, b), and likewise for b.
struct FoldTransposeIntoProduct : OpRewritePattern<ProductOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ProductOp op, PatternRewriter &rewriter) const override {
    TransposeOp a = matrixTranspose(op.getA()), b = matrixTranspose(op.getB());
    if (!a && !b)
      return rewriter.notifyMatchFailure(op, "expected a factor with its last two dimensions exchanged");
    rewriter.modifyOpInPlace(op, [&] {
      if (a) {
        op.getAMutable().assign(a.getX());
        op.setTransposeA(!op.getTransposeA());
      }
      if (b) {
        op.getBMutable().assign(b.getX());
        op.setTransposeB(!op.getTransposeB());
      }
    });
    return success();
  }

  static TransposeOp matrixTranspose(Value value) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose || transpose.getPermutation().size() < 2)
      return {};
    SmallVector<int64_t> permutation(transpose.getPermutation());
    std::swap(permutation.end()[-1], permutation.end()[-2]);
    return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())) ? transpose : TransposeOp();
  }
};
} // namespace

void xf::populateWidenedFactors(RewritePatternSet &patterns) {
  patterns.add<WidenedMatmulToProduct>(patterns.getContext());
}

void xf::populateToProduct(RewritePatternSet &patterns) {
  patterns.add<LinearToProduct, MatmulToProduct, FoldTransposeIntoProduct>(patterns.getContext());
}
