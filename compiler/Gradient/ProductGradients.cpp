//===- ProductGradients.cpp - linear and matmul ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates linear and matmul. Gradients are products, whose flags transpose their operands. A transpose op is
// built only for a factor that is broadcast over matrices.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct Factor {
  Value matrix;
  bool isTransposed = false;
};
} // namespace

static Value buildProduct(OpBuilder &builder, Location loc, Type type, Factor a, Factor b) {
  return MatmulOp::create(builder, loc, type, a.matrix, b.matrix, a.isTransposed, b.isTransposed);
}

/// Reshapes x, of the shape [X.., L.., p, q], so that a product that sums over p or q also sums over X.., the first
/// `joined` dimensions. For this, merges X.. with p or q. With `sumsLast`, returns the shape [L.., p, X q], otherwise
/// [L.., X p, q].
static Value buildJoined(OpBuilder &builder, Location loc, Value x, int64_t joined, bool sumsLast) {
  RankedTensorType type = tensorType(x);
  int64_t rank = type.getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(joined, rank - (sumsLast ? 1 : 2)));
  int64_t kept = order.size();
  llvm::append_range(order, llvm::seq<int64_t>(0, joined));
  llvm::append_range(order, llvm::seq(rank - (sumsLast ? 1 : 2), rank));
  auto moved = llvm::map_to_vector(order, [&](int64_t d) { return type.getDimSize(d); });
  if (!llvm::is_sorted(order))
    x = TransposeOp::create(builder, loc, type.clone(moved), x, order);
  SmallVector<int64_t> shape(ArrayRef(moved).take_front(kept));
  shape.push_back(productOf(ArrayRef(moved).slice(kept, joined + 1)));
  llvm::append_range(shape, ArrayRef(moved).drop_front(kept + joined + 1));
  return buildReshape(builder, loc, x, shape);
}

namespace {
/// Differentiates y = x W^T + b: dx = dy W, dW = dy^T x, db = the sum of dy over all but its last dimension.
struct LinearModel : DifferentiableOpInterface::ExternalModel<LinearModel, LinearOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<LinearOp>(base);
    Location loc = op.getLoc();
    Value dY = cotangents[0], x = op.getX();
    Value left = tensorType(dY).getRank() > 1 ? dY : buildMatrix(builder, loc, dY);
    RankedTensorType xType = tensorType(x);
    Type leftType = tensorType(x).getRank() > 1 ? xType : xType.clone({1, xType.getDimSize(0)});
    Value dX = buildProduct(builder, loc, leftType, {left}, {op.getWeight()});
    gradients[0] = buildReshape(builder, loc, dX, xType.getShape());
    gradients[1] = buildProduct(builder, loc, op.getWeight().getType(), {buildMatrix(builder, loc, dY), true},
                                {buildMatrix(builder, loc, x)});
    if (op.getBias())
      gradients[2] = buildUnbroadcast(builder, loc, dY, tensorType(op.getBias()));
    return success();
  }
};

/// Differentiates y = A B, where A is a or a^T and B is b or b^T: dA = dy B^T and dB = A^T dy. The gradient of a
/// transposed operand is transposed. If one matrix of an operand is multiplied by several matrices of the other operand
/// (broadcast), the gradient of the first operand is a sum over these matrices. For this, the dimensions of the
/// matrices are merged with the dimension that the product sums over.
struct MatmulModel : DifferentiableOpInterface::ExternalModel<MatmulModel, MatmulOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<MatmulOp>(base);
    gradients[0] = buildLeft(builder, op, cotangents[0]);
    gradients[1] = buildRight(builder, op, cotangents[0]);
    return success();
  }

  static Value buildLeft(OpBuilder &builder, MatmulOp op, Value dY) {
    Value b = op.getB();
    bool transposedB = op.getTransposeB();
    if (int64_t shared = tensorType(dY).getRank() - tensorType(op.getA()).getRank()) {
      b = buildJoined(builder, op.getLoc(), b, shared, /*sumsLast=*/!transposedB);
      dY = buildJoined(builder, op.getLoc(), dY, shared, /*sumsLast=*/true);
    }
    Type type = op.getA().getType();
    if (op.getTransposeA())
      return buildProduct(builder, op.getLoc(), type, {b, transposedB}, {dY, true});
    return buildProduct(builder, op.getLoc(), type, {dY}, {b, !transposedB});
  }

  static Value buildRight(OpBuilder &builder, MatmulOp op, Value dY) {
    Value a = op.getA();
    bool transposedA = op.getTransposeA();
    if (int64_t shared = tensorType(dY).getRank() - tensorType(op.getB()).getRank()) {
      a = buildJoined(builder, op.getLoc(), a, shared, /*sumsLast=*/transposedA);
      dY = buildJoined(builder, op.getLoc(), dY, shared, /*sumsLast=*/false);
    }
    Type type = op.getB().getType();
    if (op.getTransposeB())
      return buildProduct(builder, op.getLoc(), type, {dY, true}, {a, transposedA});
    return buildProduct(builder, op.getLoc(), type, {a, !transposedA}, {dY});
  }
};
} // namespace

void xf::attachProductGradients(MLIRContext &context) {
  LinearOp::attachInterface<LinearModel>(context);
  MatmulOp::attachInterface<MatmulModel>(context);
}
