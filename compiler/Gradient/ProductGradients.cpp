//===- ProductGradients.cpp - linear and matmul -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed operands are flags of the product, never a transpose of their own, with one exception noted below.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

static Value buildProduct(OpBuilder &builder, Location loc, Type type, Value a, bool transposeA, Value b,
                          bool transposeB) {
  return MatmulOp::create(builder, loc, type, a, b, transposeA, transposeB);
}

/// The last two dimensions exchanged.
static Value buildTranspose(OpBuilder &builder, Location loc, Value x) {
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> shape(type.getShape());
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(shape.end()[-1], shape.end()[-2]);
  std::swap(permutation.end()[-1], permutation.end()[-2]);
  return TransposeOp::create(builder, loc, type.clone(shape), x, permutation);
}

namespace {
/// y = x W^T + b: dx = dy W, dW = dy^T x, db = sum of dy over all but its last dimension.
struct LinearModel : DifferentiableOpInterface::ExternalModel<LinearModel, LinearOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<LinearOp>(base);
    Location loc = op.getLoc();
    Value dY = cotangents[0], x = op.getX();
    Value left = tensorType(dY).getRank() > 1 ? dY : buildMatrix(builder, loc, dY);
    RankedTensorType xType = tensorType(x);
    Type leftType = tensorType(x).getRank() > 1 ? xType : xType.clone({1, xType.getDimSize(0)});
    Value dX = buildProduct(builder, loc, leftType, left, false, op.getWeight(), false);
    gradients[0] = buildReshape(builder, loc, dX, xType.getShape());
    gradients[1] = buildProduct(builder, loc, op.getWeight().getType(), buildMatrix(builder, loc, dY), true,
                                buildMatrix(builder, loc, x), false);
    if (op.getBias())
      gradients[2] = buildUnbroadcast(builder, loc, dY, tensorType(op.getBias()));
    return success();
  }
};

/// y = A B, A = a or a^T, B = b or b^T: dA = dy B^T, dB = A^T dy, each transposed where its operand was.
struct MatmulModel : DifferentiableOpInterface::ExternalModel<MatmulModel, MatmulOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<MatmulOp>(base);
    Value dY = cotangents[0];
    bool sharedB = tensorType(op.getA()).getRank() > 2 && tensorType(op.getB()).getRank() == 2;
    gradients[0] = buildLeft(builder, op, dY, sharedB);
    gradients[1] = buildRight(builder, op, dY, sharedB);
    return success();
  }

  static Value buildLeft(OpBuilder &builder, MatmulOp op, Value dY, bool sharedB) {
    Value a = op.getA(), b = op.getB();
    bool transposedA = op.getTransposeA(), transposedB = op.getTransposeB();
    if (!transposedA)
      return buildProduct(builder, op.getLoc(), a.getType(), dY, false, b, !transposedB);
    if (!sharedB)
      return buildProduct(builder, op.getLoc(), a.getType(), b, transposedB, dY, true);
    // A matrix b has no batch of its own, so it cannot stand on the left: dA, then its transpose.
    SmallVector<int64_t> shape(tensorType(a).getShape());
    std::swap(shape.end()[-1], shape.end()[-2]);
    Value dA = buildProduct(builder, op.getLoc(), tensorType(a).clone(shape), dY, false, b, !transposedB);
    return buildTranspose(builder, op.getLoc(), dA);
  }

  static Value buildRight(OpBuilder &builder, MatmulOp op, Value dY, bool sharedB) {
    Location loc = op.getLoc();
    Value a = op.getA();
    Type type = op.getB().getType();
    bool transposedA = op.getTransposeA();
    if (sharedB) { // the batch becomes rows, which the product sums over
      a = buildMatrix(builder, loc, transposedA ? buildTranspose(builder, loc, a) : a);
      dY = buildMatrix(builder, loc, dY);
      transposedA = false;
    }
    if (op.getTransposeB())
      return buildProduct(builder, loc, type, dY, true, a, transposedA);
    return buildProduct(builder, loc, type, a, !transposedA, dY, false);
  }
};
} // namespace

void xf::attachProductGradients(MLIRContext &context) {
  LinearOp::attachInterface<LinearModel>(context);
  MatmulOp::attachInterface<MatmulModel>(context);
}
