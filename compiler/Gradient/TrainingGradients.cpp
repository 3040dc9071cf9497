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

/// Differentiates a sum of rows by id: rows of the cotangent go back to the places, and all of it to the initial table.
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

/// Differentiates the loss by an xf.cross_entropy_vjp. If lse has a cotangent, also adds the derivative d lse / d
/// logits = softmax(logits) times it.
struct CrossEntropyModel : DifferentiableOpInterface::ExternalModel<CrossEntropyModel, CrossEntropyOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<CrossEntropyOp>(base);
    Location loc = op.getLoc();
    Type type = op.getLogits().getType();
    Value total;
    if (Value dLoss = cotangents[0])
      total = CrossEntropyVjpOp::create(builder, loc, type, op.getLogits(), op.getTargets(), op.getLse(), dLoss);
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
    SmallVector<int64_t> column(tensorType(dLse).getShape());
    column.push_back(1);
    Value lse = buildReshape(builder, loc, op.getLse(), column);
    dLse = buildReshape(builder, loc, dLse, column);
    return buildMap(builder, loc, {op.getLogits(), lse, dLse}, type,
                    [&](OpBuilder &inside, ValueRange scalars) -> Value {
                      Expression lse(inside, loc, scalars[1]), share(inside, loc, scalars[2]);
                      Expression logit = Expression(inside, loc, scalars[0]).convert(lse.getType());
                      return ((logit - lse).apply<math::ExpOp>() * share).convert(type.getElementType());
                    });
  }
};

/// Differentiates dropout: the gradient is the cotangent after a dropout with the same seed, which draws the same mask
/// again.
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
