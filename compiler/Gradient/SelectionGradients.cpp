//===- SelectionGradients.cpp - Elements by order and index -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "dialects/xf/Ops/XfSelectionOps.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Differentiates top_k: the cotangent of each value goes to the column of x that holds the value.
struct TopKModel : DifferentiableOpInterface::ExternalModel<TopKModel, TopKOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<TopKOp>(base);
    if (Value dValues = cotangents[0])
      gradients[0] =
          TakeAlongVjpOp::create(builder, op.getLoc(), op.getX(), op.getIndices(), dValues, /*distinct=*/true);
    return success();
  }
};

struct TakeAlongModel : DifferentiableOpInterface::ExternalModel<TakeAlongModel, TakeAlongOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<TakeAlongOp>(base);
    gradients[0] =
        TakeAlongVjpOp::create(builder, op.getLoc(), op.getX(), op.getIndices(), cotangents[0], /*distinct=*/false);
    return success();
  }
};

/// Differentiates the gradient of take_along, which is linear in d_y. Its operand x gives only the shape, and so has no
/// gradient.
struct TakeAlongVjpModel : DifferentiableOpInterface::ExternalModel<TakeAlongVjpModel, TakeAlongVjpOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<TakeAlongVjpOp>(base);
    gradients[2] = TakeAlongOp::create(builder, op.getLoc(), op.getDY().getType(), cotangents[0], op.getIndices());
    return success();
  }
};

/// Differentiates running sums. An element is part of its own sum and of all later ones, so its gradient is a running
/// sum in reverse.
struct CumsumModel : DifferentiableOpInterface::ExternalModel<CumsumModel, CumsumOp> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<CumsumOp>(base);
    gradients[0] = CumsumOp::create(builder, op.getLoc(), cotangents[0], /*reverse=*/!op.getReverse());
    return success();
  }
};
} // namespace

void xf::attachSelectionGradients(MLIRContext &context) {
  CumsumOp::attachInterface<CumsumModel>(context);
  TopKOp::attachInterface<TopKModel>(context);
  TakeAlongOp::attachInterface<TakeAlongModel>(context);
  TakeAlongVjpOp::attachInterface<TakeAlongVjpModel>(context);
}
