//===- AttentionGradients.cpp - Attention by recomputation ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ScoreDerivative.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns an attention with the result lse that computes the same as `op`. This is `op` itself if `op` has an lse.
/// Otherwise, the attention is a new op, built before `op`, which takes over all uses of `op`.
static AttentionOp withLse(AttentionOp op) {
  if (op.getLse())
    return op;
  OpBuilder builder(op);
  RankedTensorType q = tensorType(op.getQ());
  Type type = RankedTensorType::get(q.getShape().drop_back(), accumulatorType(q.getElementType()));
  OperationState state(op.getLoc(), AttentionOp::getOperationName(), op->getOperands(), {op.getO().getType(), type},
                       op->getAttrs());
  IRMapping mapping;
  op.getScore().cloneInto(state.addRegion(), mapping);
  op.getFeature().cloneInto(state.addRegion(), mapping);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  auto rebuilt = cast<AttentionOp>(builder.create(state));
  op.getO().replaceAllUsesWith(rebuilt.getO());
  return rebuilt;
}

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

static SmallVector<Type> floatTypes(ValueRange values) {
  return llvm::map_to_vector(llvm::make_filter_range(values, isFloat), [](Value value) { return value.getType(); });
}

static Type typeOrNone(Value value) { return value ? value.getType() : Type(); }

static FailureOr<AttentionVjpOp> buildAttentionVjp(OpBuilder &builder, AttentionOp op, Value dO, Value dLse) {
  auto vjp = AttentionVjpOp::create(
      builder, op.getLoc(), op.getQ().getType(), op.getK().getType(), op.getV().getType(), op.getParams().getTypes(),
      typeOrNone(op.getDecay()), typeOrNone(op.getBeta()), typeOrNone(op.getRelative()),
      floatTypes(op.getFeatureCaptures()), floatTypes(op.getCaptures()), op.getQ(), op.getK(), op.getV(), op.getO(),
      op.getLse(), dO, dLse, op.getParams(), op.getDecay(), op.getBeta(), op.getRelative(), op.getFeatureCaptures(),
      op.getLengths(), op.getQueryLengths(), op.getSegmentsQ(), op.getSegmentsK(), op.getSymbols(),
      op.getTableOffsets(), op.getTableColumns(), op.getCaptures(), op.getSeed(), op.getPart(), op.getScaleAttr(),
      op.getDropoutAttr(), op.getPattern(), op.getExactWeightsAttr(), /*reads=*/nullptr);
  IRMapping features;
  op.getFeature().cloneInto(&vjp.getFeature(), features);
  if (op.getScore().empty())
    return vjp;
  IRMapping mapping;
  op.getScore().cloneInto(&vjp.getScore(), mapping);
  SmallVector<int64_t> reads;
  if (failed(buildScoreDerivative(op.getScore(), vjp.getDerivative(), reads)))
    return failure();
  vjp.setReads(reads);
  return vjp;
}

namespace {
struct AttentionModel : DifferentiableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    Value dO = cotangents[0], dLse = cotangents.size() > 1 ? cotangents[1] : Value();
    auto op = cast<AttentionOp>(base);
    if (!isa<KernelizedPatternAttr>(op.getPattern())) // kernelised gradients use states, not probabilities
      op = withLse(op);
    if (!dO)
      dO = buildZeros(builder, op.getLoc(), op.getO());
    FailureOr<AttentionVjpOp> built = buildAttentionVjp(builder, op, dO, dLse);
    if (failed(built))
      return failure();
    AttentionVjpOp vjp = *built;
    gradients[0] = vjp.getDQ();
    gradients[1] = vjp.getDK();
    gradients[2] = vjp.getDV();
    llvm::copy(vjp.getDParams(), gradients.begin() + firstOf(op.getParamsMutable()));
    for (auto [weight, gradient] : {std::pair(op.getDecayMutable(), vjp.getDDecay()),
                                    {op.getBetaMutable(), vjp.getDBeta()},
                                    {op.getRelativeMutable(), vjp.getDRelative()}})
      if (gradient)
        gradients[firstOf(weight)] = gradient;
    assignFloats(op.getFeatureCapturesMutable(), vjp.getDFeatureCaptures(), gradients);
    assignFloats(op.getCapturesMutable(), vjp.getDCaptures(), gradients);
    return success();
  }

  /// Assigns the elements of `results` in turn to `gradients`, as gradients of the floating-point operands among
  /// `operands`. Other operands have no gradient.
  static void assignFloats(MutableOperandRange operands, ValueRange results, MutableArrayRef<Value> gradients) {
    auto next = results.begin();
    for (OpOperand &operand : operands)
      if (isFloat(operand.get()))
        gradients[operand.getOperandNumber()] = *next++;
  }

  static unsigned firstOf(MutableOperandRange operands) {
    return operands.empty() ? 0 : operands.begin()->getOperandNumber();
  }
};
} // namespace

void xf::attachAttentionGradients(MLIRContext &context) { AttentionOp::attachInterface<AttentionModel>(context); }
