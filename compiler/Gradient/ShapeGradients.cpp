//===- ShapeGradients.cpp - Ops that move elements ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of an op that moves elements moves the cotangents back; cotangents of an element's copies are added.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ScalarExpression.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

using Gradients = MutableArrayRef<Value>;

static LogicalResult differentiate(ReshapeOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  RankedTensorType x = tensorType(op.getX()), y = tensorType(op.getY());
  if (x.getNumDynamicDims() > 1 && x.getNumDynamicDims() > y.getNumDynamicDims())
    return op.emitError("expected a reshape whose inverse has at most one dynamic size of its own, got ")
           << y << " back to " << x;
  gradients[0] = buildReshape(builder, op.getLoc(), dY, x.getShape());
  return success();
}

static LogicalResult differentiate(TransposeOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    inverse[from] = static_cast<int64_t>(to);
  gradients[0] = TransposeOp::create(builder, op.getLoc(), op.getX().getType(), dY, inverse);
  return success();
}

/// Differentiates a slice: the gradient is a pad of dy. Fails, after an error, if the slice takes part of a dynamic
/// dimension, because a pad cannot express the size of such a dimension.
static LogicalResult differentiate(SliceOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  for (auto [size, offset, stride] : llvm::zip(tensorType(op.getX()).getShape(), op.getOffsets(), op.getStrides()))
    if (ShapedType::isDynamic(size) && (offset != 0 || stride != 1))
      return op.emitError("expected static sizes where a differentiated slice takes a part, got ")
             << op.getX().getType();
  gradients[0] = PadOp::create(builder, op.getLoc(), op.getX().getType(), dY, op.getOffsets(), op.getStrides());
  return success();
}

static LogicalResult differentiate(PadOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  gradients[0] = SliceOp::create(builder, op.getLoc(), op.getX().getType(), dY, op.getLow(), op.getStrides());
  return success();
}

static LogicalResult differentiate(ConcatOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  SmallVector<int64_t> offsets(tensorType(dY).getRank(), 0), strides(tensorType(dY).getRank(), 1);
  int64_t axis = op.getAxis();
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    gradients[number] = SliceOp::create(builder, op.getLoc(), input.getType(), dY, offsets, strides);
    int64_t size = tensorType(input).getDimSize(axis);
    if (ShapedType::isDynamic(size) && op.getInputs().size() > 1)
      return op.emitError("expected static sizes along the axis of a differentiated concat, got ") << input.getType();
    offsets[axis] += size;
  }
  return success();
}

static LogicalResult differentiate(BroadcastOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  gradients[0] = buildUnbroadcast(builder, op.getLoc(), dY, tensorType(op.getX()));
  return success();
}

static LogicalResult differentiate(SplitHeadsOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  gradients[0] = MergeHeadsOp::create(builder, op.getLoc(), op.getX().getType(), dY);
  return success();
}

static LogicalResult differentiate(MergeHeadsOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  int64_t heads = tensorType(op.getX()).getDimSize(1);
  if (ShapedType::isDynamic(heads))
    return op.emitError("expected a static number of heads, got ") << op.getX().getType();
  gradients[0] = SplitHeadsOp::create(builder, op.getLoc(), op.getX().getType(), dY, heads);
  return success();
}

/// Differentiates the stacking of L layers: the gradient of layer l is the slice of rows l, l + L, .. of dy.
static LogicalResult differentiate(StackLayersOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  int64_t layers = op.getLayers().size();
  for (auto [number, layer] : llvm::enumerate(op.getLayers()))
    gradients[number] = SliceOp::create(builder, op.getLoc(), layer.getType(), dY,
                                        ArrayRef<int64_t>{0, int64_t(number), 0}, ArrayRef<int64_t>{1, layers, 1});
  return success();
}

/// Differentiates the pooling of the L layers of a token. For a maximum, the first maximal layer gets dy. For a mean,
/// each layer gets dy / L. If the last layer is taken, rows L - 1, 2 L - 1, .. get dy and the others get 0.
static LogicalResult differentiate(PoolLayersOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  Location loc = op.getLoc();
  RankedTensorType x = tensorType(op.getX()), y = tensorType(dY);
  int64_t layers = op.getLayers();
  if (op.getKind() == Pool::k_last) {
    gradients[0] =
        PadOp::create(builder, loc, x, dY, ArrayRef<int64_t>{0, layers - 1, 0}, ArrayRef<int64_t>{1, layers, 1});
    return success();
  }
  SmallVector<int64_t> grouped{y.getDimSize(0), y.getDimSize(1), layers, y.getDimSize(2)};
  Value groups = buildReshape(builder, loc, op.getX(), grouped);
  Value dGroups;
  if (op.getKind() == Pool::k_max) {
    dGroups = ReduceMaxVjpOp::create(builder, loc, groups, dY, ArrayRef<int64_t>{2});
  } else {
    Value row = buildReshape(builder, loc, dY, {grouped[0], grouped[1], 1, grouped[3]});
    FloatType accumulator = accumulatorType(x.getElementType());
    Value share = buildMap(builder, loc, row, tensorType(row), [&](OpBuilder &inside, ValueRange scalars) -> Value {
      Expression whole = Expression(inside, loc, scalars[0]).convert(accumulator);
      return (whole / whole.number(layers)).convert(x.getElementType());
    });
    dGroups = BroadcastOp::create(builder, loc, x.clone(grouped), share);
  }
  gradients[0] = buildReshape(builder, loc, dGroups, x.getShape());
  return success();
}

static LogicalResult differentiate(AfterOp, OpBuilder &, Value dY, Gradients gradients) {
  gradients[0] = dY;
  return success();
}

namespace {
template <typename OpTy>
struct MoveModel : DifferentiableOpInterface::ExternalModel<MoveModel<OpTy>, OpTy> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder, ValueRange cotangents, Gradients gradients) const {
    return differentiate(cast<OpTy>(op), builder, cotangents[0], gradients);
  }
};
} // namespace

template <typename... OpTys>
static void attach(MLIRContext &context) {
  (OpTys::template attachInterface<MoveModel<OpTys>>(context), ...);
}

void xf::attachShapeGradients(MLIRContext &context) {
  attach<ReshapeOp, TransposeOp, SliceOp, PadOp, ConcatOp, BroadcastOp, SplitHeadsOp, MergeHeadsOp, StackLayersOp,
         PoolLayersOp, AfterOp>(context);
}
