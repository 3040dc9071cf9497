//===- RowGradients.cpp - softmax, norms, reductions ----------------------===//
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

/// Returns the type of the gradient of an optional operand: the operand's type, or null if there is no operand.
static Type typeOrNull(Value value) { return value ? value.getType() : Type(); }

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reshapes `y`, which has the shape of the reduction's result, to have each reduced axis as a dimension of size 1.
static Value restoreAxes(OpBuilder &builder, Location loc, Value y, ReduceOp op) {
  SmallVector<int64_t> shape;
  for (int64_t d = 0, kept = 0; d < tensorType(op.getX()).getRank(); ++d)
    shape.push_back(llvm::is_contained(op.getAxes(), d) ? 1 : tensorType(y).getDimSize(kept++));
  return buildReshape(builder, loc, y, shape);
}

/// Builds dy / n in the accumulator's type, where n is the number of elements that each mean of `op` averages.
static Value buildMeanShare(OpBuilder &builder, ReduceOp op, Value dY) {
  Location loc = op.getLoc();
  RankedTensorType type = tensorType(op.getX());
  FloatType accumulator = accumulatorType(type.getElementType());
  SmallVector<int64_t> sizes;
  for (int64_t axis : op.getAxes())
    sizes.push_back(type.getDimSize(axis));
  int64_t count = productOf(sizes);
  SmallVector<Value> inputs{dY};
  if (ShapedType::isDynamic(count)) { // n is known at run time only: the sum of n ones
    Value ones = buildFilled(builder, loc, op.getX(), accumulator, 1.0);
    RankedTensorType sumType = tensorType(op.getY()).clone(accumulator);
    inputs.push_back(ReduceOp::create(builder, loc, sumType, Reduction::k_sum, ones, op.getAxes()));
  }
  return buildMap(builder, loc, inputs, tensorType(dY), [&](OpBuilder &inside, ValueRange scalars) -> Value {
    Expression share = Expression(inside, loc, scalars[0]).convert(accumulator);
    Expression size = scalars.size() > 1 ? Expression(inside, loc, scalars[1]) : share.number(count);
    return (share / size).convert(type.getElementType());
  });
}

namespace {
/// Differentiates a reduction. For a sum, each element of x gets dy. For a mean of n elements, each gets dy / n. For a
/// maximum, the first maximal element gets dy, and the other elements get 0.
struct ReduceModel : DifferentiableOpInterface::ExternalModel<ReduceModel, ReduceOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<ReduceOp>(base);
    Location loc = op.getLoc();
    RankedTensorType type = tensorType(op.getX());
    Value dY = cotangents[0];
    if (op.getKind() == Reduction::k_max) {
      gradients[0] = ReduceMaxVjpOp::create(builder, loc, op.getX(), dY, op.getAxes());
      return success();
    }
    if (op.getKind() == Reduction::k_mean)
      dY = buildMeanShare(builder, op, dY);
    dY = restoreAxes(builder, loc, dY, op);
    if (type.hasStaticShape()) {
      gradients[0] = BroadcastOp::create(builder, loc, type, dY);
      return success();
    }
    Value ones = buildFilled(builder, loc, op.getX(), cast<FloatType>(type.getElementType()), 1.0); // x's shape
    gradients[0] = MulOp::create(builder, loc, type, dY, ones);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

struct SoftmaxModel : DifferentiableOpInterface::ExternalModel<SoftmaxModel, SoftmaxOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<SoftmaxOp>(base);
    gradients[0] = SoftmaxVjpOp::create(builder, op.getLoc(), op.getY(), cotangents[0]);
    return success();
  }
};

struct LayerNormModel : DifferentiableOpInterface::ExternalModel<LayerNormModel, LayerNormOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<LayerNormOp>(base);
    auto vjp =
        LayerNormVjpOp::create(builder, op.getLoc(), op.getX().getType(), typeOrNull(op.getWeight()),
                               typeOrNull(op.getBias()), op.getX(), op.getWeight(), cotangents[0], op.getEpsAttr());
    gradients[0] = vjp.getDX();
    if (op.getWeight())
      gradients[1] = vjp.getDWeight();
    if (op.getBias())
      gradients[op.getWeight() ? 2 : 1] = vjp.getDBias();
    return success();
  }
};

struct RmsNormModel : DifferentiableOpInterface::ExternalModel<RmsNormModel, RmsNormOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<RmsNormOp>(base);
    auto vjp = RmsNormVjpOp::create(builder, op.getLoc(), op.getX().getType(), typeOrNull(op.getWeight()), op.getX(),
                                    op.getWeight(), cotangents[0], op.getEpsAttr());
    gradients[0] = vjp.getDX();
    if (op.getWeight())
      gradients[1] = vjp.getDWeight();
    return success();
  }
};
} // namespace

void xf::attachRowGradients(MLIRContext &context) {
  ReduceOp::attachInterface<ReduceModel>(context);
  SoftmaxOp::attachInterface<SoftmaxModel>(context);
  LayerNormOp::attachInterface<LayerNormModel>(context);
  RmsNormOp::attachInterface<RmsNormModel>(context);
}
