//===- TrainingGradients.cpp - embedding, cross-entropy, dropout ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ScalarExpression.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct EmbeddingModel : DifferentiableOpInterface::ExternalModel<EmbeddingModel, EmbeddingOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<EmbeddingOp>(base);
    gradients[0] = EmbeddingVjpOp::create(builder, op.getLoc(), op.getTable().getType(), op.getIds(), cotangents[0]);
    return success();
  }
};

/// Differentiates the gradient of an embedding, which adds rows of d_y to the rows of a table by id. Each row of d_y
/// gets the row of the cotangent at its id, and the initial table gets the whole cotangent.
struct EmbeddingVjpModel : DifferentiableOpInterface::ExternalModel<EmbeddingVjpModel, EmbeddingVjpOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<EmbeddingVjpOp>(base);
    gradients[1] = EmbeddingOp::create(builder, op.getLoc(), op.getDY().getType(), cotangents[0], op.getIds());
    if (op.getInitial())
      gradients[2] = cotangents[0];
    return success();
  }
};

/// Returns a cross-entropy whose lse keeps the digits of differences between logits, however large the logits are. The
/// lse is f64. If logits are f64, the cross-entropy gets the logits minus the largest logit of their row. Returns `op`
/// itself if its lse is exact already. Otherwise, builds a new op before `op`, which takes over all uses of `op`.
static CrossEntropyOp withExactLse(CrossEntropyOp op) {
  RankedTensorType given = tensorType(op.getLse()), type = tensorType(op.getLogits());
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value logits = op.getLogits(), top;
  if (type.getElementType().isF64()) {
    SmallVector<int64_t> column(given.getShape());
    column.push_back(1);
    top = ReduceOp::create(builder, loc, given.clone(type.getElementType()), Reduction::k_max, logits,
                           ArrayRef<int64_t>{type.getRank() - 1});
    logits = SubOp::create(builder, loc, type, logits, buildReshape(builder, loc, top, column));
  } else if (given.getElementType().isF64()) {
    return op;
  }
  Type wide = given.clone(builder.getF64Type());
  auto rebuilt = CrossEntropyOp::create(builder, loc, op.getLoss().getType(), wide, logits, op.getTargets());
  op.getLoss().replaceAllUsesWith(rebuilt.getLoss());
  if (op.getLse().use_empty())
    return rebuilt;
  Value lse = rebuilt.getLse();
  if (top)
    lse = AddOp::create(builder, loc, wide, lse, top);
  op.getLse().replaceAllUsesWith(wide == given ? lse : CastOp::create(builder, loc, given, lse).getY());
  return rebuilt;
}

/// Differentiates the loss by an xf.cross_entropy_vjp. If lse has a cotangent, adds softmax(logits), the derivative of
/// lse, times that cotangent.
struct CrossEntropyModel : DifferentiableOpInterface::ExternalModel<CrossEntropyModel, CrossEntropyOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<CrossEntropyOp>(base);
    Location loc = op.getLoc();
    Type type = op.getLogits().getType();
    Value total;
    if (Value dLoss = cotangents[0]) {
      CrossEntropyOp forward = withExactLse(op);
      total =
          CrossEntropyVjpOp::create(builder, loc, type, forward.getLogits(), op.getTargets(), forward.getLse(), dLoss);
    }
    if (Value dLse = cotangents[1]) {
      Value share = buildLseGradient(builder, op, dLse);
      total = total ? AddOp::create(builder, loc, type, total, share).getY() : share;
    }
    gradients[0] = total;
    return success();
  }

  static Value buildLseGradient(OpBuilder &builder, CrossEntropyOp op, Value dLse) {
    Location loc = op.getLoc();
    RankedTensorType type = tensorType(op.getLogits());
    RankedTensorType real = type.clone(accumulatorType(type.getElementType()));
    SmallVector<int64_t> column(tensorType(dLse).getShape());
    column.push_back(1);
    dLse = buildReshape(builder, loc, dLse, column);
    Value logits = real == type ? op.getLogits() : CastOp::create(builder, loc, real, op.getLogits()).getY();
    Value y = SoftmaxOp::create(builder, loc, real, logits);
    return buildMap(builder, loc, {y, dLse}, type, [&](OpBuilder &inside, ValueRange scalars) -> Value {
      Expression y(inside, loc, scalars[0]), share(inside, loc, scalars[1]);
      return (y * share.convert(real.getElementType())).convert(type.getElementType());
    });
  }
};

/// Differentiates dropout: the gradient is a dropout of the cotangent with the same seed, which draws the same mask.
struct DropoutModel : DifferentiableOpInterface::ExternalModel<DropoutModel, DropoutOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<DropoutOp>(base);
    gradients[0] = DropoutOp::create(builder, op.getLoc(), cotangents[0], op.getSeed(), op.getPAttr());
    return success();
  }
};
} // namespace

void xf::attachTrainingGradients(MLIRContext &context) {
  EmbeddingOp::attachInterface<EmbeddingModel>(context);
  EmbeddingVjpOp::attachInterface<EmbeddingVjpModel>(context);
  CrossEntropyOp::attachInterface<CrossEntropyModel>(context);
  DropoutOp::attachInterface<DropoutModel>(context);
}
