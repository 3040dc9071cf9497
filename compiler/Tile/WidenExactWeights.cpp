//===- WidenExactWeights.cpp - Attention whose weights are exact ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %o = xf.attention %q, %k, %v pattern(..) weights = exact : (tensor<..xbf16>, ..) -> tensor<..xbf16>
// After:   %wq = xf.cast %q, %wk = xf.cast %k, %wv = xf.cast %v : tensor<..xbf16> -> tensor<..xf32>
//          %wo = xf.attention %wq, %wk, %wv pattern(..) weights = exact : (tensor<..xf32>, ..) -> tensor<..xf32>
//          %o = xf.cast %wo : tensor<..xf32> -> tensor<..xbf16>
//
// A gradient takes the o that the attention computes, before o is rounded. Runs before tiling, because the model of the
// target tells whether kernels round weights. Runs on solved patterns, because solutions do not depend on element
// types.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/WidenExactWeights.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The conversions in one function.
struct Widening {
  DenseMap<Value, Value> wide; ///< converted operands, and results before they are rounded

  /// Returns `x` converted to the type of sums. Builds the conversion before `user`, unless `x` is converted already.
  Value widen(Value x, Operation *user);
  template <typename OpTy>
  void rewrite(OpTy op, MutableArrayRef<OpOperand *> operands, ArrayRef<Value> results);
};
} // namespace

static RankedTensorType wideType(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  return type.clone(accumulatorType(type.getElementType()));
}

Value Widening::widen(Value x, Operation *user) {
  Value &result = wide[x];
  if (!result) {
    OpBuilder builder(user);
    if (Operation *definition = x.getDefiningOp())
      builder.setInsertionPointAfter(definition);
    else
      builder.setInsertionPointToStart(user->getBlock());
    result = CastOp::create(builder, user->getLoc(), wideType(x), x);
  }
  return result;
}

template <typename OpTy>
void Widening::rewrite(OpTy op, MutableArrayRef<OpOperand *> operands, ArrayRef<Value> results) {
  for (OpOperand *operand : operands)
    operand->set(widen(operand->get(), op));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (Value result : results) {
    Type narrow = result.getType();
    result.setType(wideType(result));
    auto rounded = CastOp::create(builder, op.getLoc(), narrow, result);
    result.replaceAllUsesExcept(rounded, rounded);
    wide[rounded] = result;
  }
}

void xf::widenExactWeights(func::FuncOp function, const TileModel &model) {
  Widening widening;
  auto isRounded = [&](auto op) {
    Type element = op.getQ().getType().getElementType();
    bool isScan = op->hasAttr(kKernelSumAttrName);
    return op.getExactWeights() && !isScan && element != accumulatorType(element) && model.roundsWeights(element);
  };
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (auto forward = dyn_cast<AttentionOp>(op); forward && isRounded(forward)) {
      OpOperand *operands[] = {&forward.getQMutable(), &forward.getKMutable(), &forward.getVMutable()};
      widening.rewrite(forward, operands, {forward.getO()});
    } else if (auto gradient = dyn_cast<AttentionVjpOp>(op); gradient && isRounded(gradient)) {
      OpOperand *operands[] = {&gradient.getQMutable(), &gradient.getKMutable(), &gradient.getVMutable(),
                               &gradient.getOMutable(), &gradient.getDOMutable()};
      widening.rewrite(gradient, operands, {gradient.getDQ(), gradient.getDK(), gradient.getDV()});
    }
  }
}
