//===- ShapeGradients.cpp - Ops that move elements ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates ops that move elements: the gradient moves the cotangents back. If an op copies an element, the
// cotangents of its copies are added.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ScalarExpression.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfSelectionOps.h"

using namespace mlir;
using namespace mlir::xf;

using Gradients = MutableArrayRef<Value>;

static LogicalResult differentiate(ReshapeOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  RankedTensorType x = tensorType(op.getX()), y = tensorType(op.getY());
  if (std::optional<SizeExpressions> sizes = operandSizes(op, 0);
      sizes && (op.getSizes() || x.getNumDynamicDims() > 1)) {
    gradients[0] = ReshapeOp::create(builder, op.getLoc(), x, dY, sizesAttr(op.getContext(), x.getShape(), *sizes));
    return success();
  }
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
/// dimension whose size is not known.
static LogicalResult differentiate(SliceOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  std::optional<SizeExpressions> sizes = operandSizes(op, 0);
  RankedTensorType x = tensorType(op.getX()), y = tensorType(op.getY());
  bool takesPart = op.getSizes() || op.getStarts();
  for (auto [size, taken, offset, stride] : llvm::zip(x.getShape(), y.getShape(), op.getOffsets(), op.getStrides()))
    takesPart |= ShapedType::isDynamic(size) && (!ShapedType::isDynamic(taken) || offset != 0 || stride != 1);
  if (sizes && takesPart) {
    gradients[0] = PadOp::create(builder, op.getLoc(), x, dY, op.getOffsets(), op.getStrides(), op.getStartsAttr(),
                                 sizesAttr(op.getContext(), x.getShape(), *sizes));
    return success();
  }
  for (auto [size, offset, stride] : llvm::zip(tensorType(op.getX()).getShape(), op.getOffsets(), op.getStrides()))
    if (ShapedType::isDynamic(size) && (offset != 0 || stride != 1))
      return op.emitError("expected static sizes where a differentiated slice takes a part, got ")
             << op.getX().getType();
  gradients[0] = PadOp::create(builder, op.getLoc(), op.getX().getType(), dY, op.getOffsets(), op.getStrides());
  return success();
}

static LogicalResult differentiate(PadOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  if (std::optional<SizeExpressions> sizes = operandSizes(op, 0); sizes && (op.getSizes() || op.getStarts())) {
    RankedTensorType x = tensorType(op.getX());
    gradients[0] = SliceOp::create(builder, op.getLoc(), x, dY, op.getLow(), op.getStrides(), op.getStartsAttr(),
                                   sizesAttr(op.getContext(), x.getShape(), *sizes));
    return success();
  }
  gradients[0] = SliceOp::create(builder, op.getLoc(), op.getX().getType(), dY, op.getLow(), op.getStrides());
  return success();
}

/// Differentiates a concatenation along a dynamic axis. Each operand gets the slice of dy at its own position.
static LogicalResult differentiateDynamic(ConcatOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  SizeExpressions offsets(tensorType(dY).getRank(), SizeExpression(0));
  SmallVector<int64_t> strides(offsets.size(), 1);
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    std::optional<SizeExpressions> sizes = operandSizes(op, number);
    if (!sizes)
      return op.emitError("expected known sizes along the axis of a differentiated concat, got ") << input.getType();
    RankedTensorType type = tensorType(input);
    auto [numbers, starts] = splitPositions(op.getContext(), offsets);
    gradients[number] = SliceOp::create(builder, op.getLoc(), type, dY, numbers, strides, starts,
                                        sizesAttr(op.getContext(), type.getShape(), *sizes));
    offsets[op.getAxis()] = offsets[op.getAxis()] + (*sizes)[op.getAxis()];
  }
  return success();
}

static LogicalResult differentiate(ConcatOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  auto isDynamic = [&](Value input) { return tensorType(input).isDynamicDim(op.getAxis()); };
  if (op.getInputs().size() > 1 && llvm::any_of(op.getInputs(), isDynamic))
    return differentiateDynamic(op, builder, dY, gradients);
  SmallVector<int64_t> offsets(tensorType(dY).getRank(), 0), strides(tensorType(dY).getRank(), 1);
  int64_t axis = op.getAxis();
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    gradients[number] = SliceOp::create(builder, op.getLoc(), input.getType(), dY, offsets, strides);
    if (op.getInputs().size() > 1)
      offsets[axis] += tensorType(input).getDimSize(axis);
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
/// each layer gets dy / L. If the last layer is taken, rows L - 1, 2 L - 1, .. of the gradient are dy, and the others
/// are 0.
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

/// Builds the positions that an update replaces along `axis`: position + n for each index n of x along that axis.
static Value buildPlaces(SliceUpdateOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  auto axis = static_cast<int64_t>(op.getAxis());
  auto type = RankedTensorType::get(tensorType(op.getX()).getDimSize(axis), builder.getI64Type());
  Value first = buildMap(builder, loc, op.getPosition(), RankedTensorType::get({}, builder.getI64Type()),
                         [&](OpBuilder &inside, ValueRange scalars) -> Value {
                           if (scalars[0].getType().isInteger(64))
                             return scalars[0];
                           return arith::ExtSIOp::create(inside, loc, inside.getI64Type(), scalars[0]);
                         });
  ArrayAttr sizes;
  if (!type.hasStaticShape())
    sizes = sizesAttr(op.getContext(), type.getShape(), {(*operandSizes(op, 1))[axis]});
  Value starts = BroadcastOp::create(builder, loc, type, first, sizes);
  Value numbers = IotaOp::create(builder, loc, starts);
  return buildMap(builder, loc, {starts, numbers}, type, [&](OpBuilder &inside, ValueRange scalars) -> Value {
    return arith::AddIOp::create(inside, loc, scalars[0], scalars[1]);
  });
}

/// Differentiates an update, whose result y is the state with x at some position. The gradient of the state is dy with
/// zeros at x's position, and the gradient of x is dy at this position. Moves the axis of the update to the front, and
/// takes rows of dy.
static LogicalResult differentiate(SliceUpdateOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  Location loc = op.getLoc();
  RankedTensorType x = tensorType(op.getX()), y = tensorType(dY);
  auto axis = static_cast<int64_t>(op.getAxis());
  if (op.getPosition().getType().getRank() != 0)
    return op.emitError("expected one position in a differentiated slice_update, got ") << op.getPosition().getType();
  if (x.getNumDynamicDims() > 1 || (x.isDynamicDim(axis) && !operandSizes(op, 1)))
    return op.emitError("expected at most one dynamic size, which is known, in a differentiated slice_update, got ")
           << x;
  SmallVector<int64_t> front = {axis}, back(x.getRank());
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (d != axis)
      front.push_back(d);
  for (auto [to, from] : llvm::enumerate(front))
    back[from] = static_cast<int64_t>(to);
  auto moved = [&](RankedTensorType type) {
    return type.clone(llvm::map_to_vector(front, [&](int64_t d) { return type.getDimSize(d); }));
  };
  Value rows = TransposeOp::create(builder, loc, moved(y), dY, front);
  SmallVector<int64_t> others(moved(x).getShape().drop_front());
  rows = buildReshape(builder, loc, rows, {y.getDimSize(axis), productOf(others)});
  Value taken = EmbeddingOp::create(builder, loc, x.clone({x.getDimSize(axis), productOf(others)}), rows,
                                    buildPlaces(op, builder));
  gradients[1] = TransposeOp::create(builder, loc, x, buildReshape(builder, loc, taken, moved(x).getShape()), back);
  gradients[0] = // last, so that nothing reads dy afterwards and its memory can be that of the result
      SliceUpdateOp::create(builder, loc, y, dY, buildZeros(builder, loc, op.getX()), op.getPosition(), axis);
  return success();
}

static LogicalResult differentiate(AddAtOp op, OpBuilder &builder, Value dY, Gradients gradients) {
  RankedTensorType x = tensorType(op.getX());
  std::optional<SizeExpressions> sizes = operandSizes(op, 1);
  gradients[0] = dY;
  if (!x.hasStaticShape() && !sizes)
    return op.emitError("expected known sizes of a part that is added, got ") << x;
  ArrayAttr listed = x.hasStaticShape() ? ArrayAttr() : sizesAttr(op.getContext(), x.getShape(), *sizes);
  gradients[1] =
      SliceOp::create(builder, op.getLoc(), x, dY, op.getOffsets(), op.getStrides(), op.getStartsAttr(), listed);
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
         PoolLayersOp, SliceUpdateOp, AddAtOp, AfterOp>(context);
}
