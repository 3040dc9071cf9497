//===- ElementwiseToMap.cpp - Element-wise ops to xf.map ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Maps.h"
#include "compiler/Fuse/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Rewrites an element-wise op f(x, y) to map(x, y) { g }, where g is the scalar form of f.
struct ElementwiseToMap : OpInterfaceRewritePattern<ElementwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOpInterface op, PatternRewriter &rewriter) const override {
    if (isa<MapOp>(op))
      return rewriter.notifyMatchFailure(op, "expected a named op");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto element = [&](OpBuilder &builder, ValueRange scalars) {
      return op.buildScalar(builder, op.getLoc(), scalars);
    };
    rewriter.replaceOpWithNewOp<MapOp>(op, type, op->getOperands(), element);
    return success();
  }
};

/// Replaces `map` by a map with only those inputs whose indices are in `kept`. In the region, scalars that `substitute`
/// builds replace the elements of the other inputs. Fails, and changes nothing, if broadcasting the kept inputs does
/// not give the shape of the result.
static LogicalResult rebuild(MapOp map, PatternRewriter &rewriter, ArrayRef<unsigned> kept,
                             function_ref<Value(OpBuilder &, unsigned, ValueRange)> substitute) {
  SmallVector<Value> inputs;
  for (unsigned number : kept)
    inputs.push_back(map.getInputs()[number]);
  if (!determineShape(inputs, map.getType()))
    return rewriter.notifyMatchFailure(map, "expected other inputs that give the result its shape");
  rewriter.replaceOpWithNewOp<MapOp>(map, map.getType(), inputs, [&](OpBuilder &builder, ValueRange scalars) {
    SmallVector<Value> all(map.getInputs().size());
    for (auto [scalar, number] : llvm::zip(scalars, kept))
      all[number] = scalar;
    for (unsigned number = 0; number < all.size(); ++number)
      if (!all[number])
        all[number] = substitute(builder, number, all);
    return map.buildScalar(builder, map.getLoc(), all);
  });
  return success();
}

static SmallVector<unsigned> allBut(MapOp map, unsigned dropped) {
  auto numbers = llvm::to_vector(llvm::seq<unsigned>(0, map.getInputs().size()));
  numbers.erase(numbers.begin() + dropped);
  return numbers;
}

/// Moves a splat constant into the region: rewrites map(x, splat c) { f(a, b) } to map(x, splat c) { f(a, c) }.
/// DropUnread then removes the splat from the inputs.
struct InlineConstant : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    for (auto [input, argument] : llvm::zip(map.getInputs(), map.getBody().getArguments())) {
      SplatElementsAttr splat;
      if (argument.use_empty() || !matchPattern(input, m_Constant(&splat)))
        continue;
      rewriter.setInsertionPointToStart(argument.getOwner());
      Value constant = arith::ConstantOp::create(rewriter, map.getLoc(), splat.getSplatValue<TypedAttr>());
      rewriter.replaceAllUsesWith(argument, constant);
      return success();
    }
    return rewriter.notifyMatchFailure(map, "expected an input that is one number");
  }
};

/// Merges equal inputs: rewrites map(x, x) { f(a, b) } to map(x) { f(a, a) }.
struct MergeInputs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    for (auto [number, input] : llvm::enumerate(map.getInputs())) {
      unsigned first = std::distance(map.getInputs().begin(), llvm::find(map.getInputs(), input));
      auto same = [&](OpBuilder &, unsigned, ValueRange scalars) { return scalars[first]; };
      if (first != number)
        return rebuild(map, rewriter, allBut(map, number), same);
    }
    return failure();
  }
};

/// Drops inputs that the region does not read: rewrites map(x, y) { f(a) } to map(x) { f(a) } if x has the result's
/// shape.
struct DropUnread : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    auto none = [](OpBuilder &, unsigned, ValueRange) { return Value(); };
    for (BlockArgument argument : map.getBody().getArguments())
      if (argument.use_empty() && succeeded(rebuild(map, rewriter, allBut(map, argument.getArgNumber()), none)))
        return success();
    return failure();
  }
};

/// Rewrites map(broadcast(x), y) to map(x, y) if y has the result's shape.
struct ReadThroughBroadcast : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    for (auto [number, input] : llvm::enumerate(map.getInputs())) {
      auto broadcast = input.getDefiningOp<BroadcastOp>();
      if (!broadcast)
        continue;
      SmallVector<Value> inputs(map.getInputs());
      inputs[number] = broadcast.getX();
      if (!determineShape(inputs, map.getType()))
        continue;
      rewriter.modifyOpInPlace(map, [&] { map.getInputsMutable().slice(number, 1).assign(broadcast.getX()); });
      return success();
    }
    return failure();
  }
};

/// Folds map(x) { a } to x, and a map that yields a constant to a constant tensor.
struct FoldTrivialMap : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    Value element = map.getBody().front().getTerminator()->getOperand(0);
    if (auto argument = dyn_cast<BlockArgument>(element)) {
      Value input = map.getInputs()[argument.getArgNumber()];
      if (input.getType() != map.getType())
        return rewriter.notifyMatchFailure(map, "expected an input of the result's type");
      rewriter.replaceOp(map, input);
      return success();
    }
    TypedAttr constant;
    if (!map.getType().hasStaticShape() || !matchPattern(element, m_Constant(&constant)))
      return rewriter.notifyMatchFailure(map, "expected an element that is an input or a constant");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(map, DenseElementsAttr::get(map.getType(), constant));
    return success();
  }
};
} // namespace

void xf::populateElementwiseToMap(RewritePatternSet &patterns) {
  patterns.add<ElementwiseToMap, InlineConstant, MergeInputs, DropUnread, ReadThroughBroadcast, FoldTrivialMap>(
      patterns.getContext());
}
