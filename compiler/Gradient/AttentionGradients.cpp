//===- AttentionGradients.cpp - attention by recomputation from lse ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

/// The op with its lse result; one that lacks it is rebuilt in its place, and left without uses.
static AttentionOp withLse(AttentionOp op) {
  if (op.getLse())
    return op;
  OpBuilder builder(op);
  RankedTensorType q = tensorType(op.getQ());
  Type lse = RankedTensorType::get(q.getShape().drop_back(), accumulatorType(q.getElementType()));
  OperationState state(op.getLoc(), AttentionOp::getOperationName(), op->getOperands(), {op.getO().getType(), lse},
                       op->getAttrs());
  IRMapping mapping;
  op.getScore().cloneInto(state.addRegion(), mapping);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  auto rebuilt = cast<AttentionOp>(builder.create(state));
  op.getO().replaceAllUsesWith(rebuilt.getO());
  return rebuilt;
}

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

static AttentionVjpOp buildAttentionVjp(OpBuilder &builder, AttentionOp op, Value dO, Value dLse) {
  SmallVector<Type> captures;
  for (Value capture : op.getCaptures())
    if (isFloat(capture))
      captures.push_back(capture.getType());
  auto vjp = AttentionVjpOp::create(
      builder, op.getLoc(), op.getQ().getType(), op.getK().getType(), op.getV().getType(), op.getParams().getTypes(),
      captures, op.getQ(), op.getK(), op.getV(), op.getO(), op.getLse(), dO, dLse, op.getParams(), op.getLengths(),
      op.getQueryLengths(), op.getSegmentsQ(), op.getSegmentsK(), op.getSymbols(), op.getTableOffsets(),
      op.getTableColumns(), op.getCaptures(), op.getSeed(), op.getScaleAttr(), op.getDropoutAttr(), op.getPattern());
  IRMapping mapping;
  op.getScore().cloneInto(&vjp.getScore(), mapping);
  return vjp;
}

namespace {
struct AttentionModel : DifferentiableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    Value dO = cotangents[0], dLse = cotangents.size() > 1 ? cotangents[1] : Value();
    if (isa<KernelizedPatternAttr>(cast<AttentionOp>(base).getPattern())) // it has no lse
      return base->emitError("not implemented: the gradient of kernelised attention");
    AttentionOp op = withLse(cast<AttentionOp>(base));
    if (!dO)
      dO = buildZeros(builder, op.getLoc(), op.getO());
    AttentionVjpOp vjp = buildAttentionVjp(builder, op, dO, dLse);
    gradients[0] = vjp.getDQ();
    gradients[1] = vjp.getDK();
    gradients[2] = vjp.getDV();
    llvm::copy(vjp.getDParams(), gradients.begin() + firstOf(op.getParamsMutable()));
    auto dCapture = vjp.getDCaptures().begin();
    for (auto [number, capture] : llvm::enumerate(op.getCaptures()))
      if (isFloat(capture))
        gradients[firstOf(op.getCapturesMutable()) + number] = *dCapture++;
    return success();
  }

  static unsigned firstOf(MutableOperandRange operands) {
    return operands.empty() ? 0 : operands.begin()->getOperandNumber();
  }
};
} // namespace

void xf::attachAttentionGradients(MLIRContext &context) { AttentionOp::attachInterface<AttentionModel>(context); }
