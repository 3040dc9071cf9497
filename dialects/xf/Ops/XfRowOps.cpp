//===- XfRowOps.cpp - Softmax, norms and reductions: verification ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfRows.h"
#include "dialects/xf/Ops/XfVerifiers.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr double unbounded = std::numeric_limits<double>::infinity();

bool xf::actsOnRows(Operation *op) { return isa<LinearOp, SoftmaxOp, LayerNormOp, RmsNormOp>(op); }

/// Verifies that x has at least one dimension. Its rows lie along the last dimension.
static LogicalResult verifyHasRows(Operation *op, Value x) {
  if (!shapeOf(x).empty()) // C1
    return success();
  return op->emitOpError("expected at least one dimension, got ") << x.getType();
}

LogicalResult SoftmaxOp::verify() { return verifyHasRows(*this, getX()); }
LogicalResult SoftmaxVjpOp::verify() { return verifyHasRows(*this, getY()); }

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Verifies a norm. `names` are the names of its operands and results in messages.
static LogicalResult verifyNorm(Operation *op, ArrayRef<StringRef> names, const APFloat &eps) {
  if (failed(verifyHasRows(op, op->getOperand(0))) || failed(verifyRow(op, names)) || // C1
      failed(verifyNumber(op, "eps", eps, 0, unbounded)))                             // C2
    return failure();
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  return verifyOneElementType(op, values); // C3
}

LogicalResult LayerNormOp::verify() { return verifyNorm(*this, {"x", "a weight", "a bias", "a result"}, getEps()); }
LogicalResult LayerNormVjpOp::verify() {
  return verifyNorm(*this, {"x", "a weight", "d_y", "d_x", "d_weight", "d_bias"}, getEps());
}
LogicalResult RmsNormOp::verify() { return verifyNorm(*this, {"x", "a weight", "a result"}, getEps()); }
LogicalResult RmsNormVjpOp::verify() {
  return verifyNorm(*this, {"x", "a weight", "d_y", "d_x", "d_weight"}, getEps());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Verifies a reduction of x, or the gradient of one. `names` are the names of its operands and results in messages.
static LogicalResult verifyReduction(Operation *op, ArrayRef<int64_t> axes, Value reduced, ArrayRef<StringRef> names) {
  Value x = op->getOperand(0);
  llvm::SmallBitVector isAxis(shapeOf(x).size());
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(isAxis.size())) // C1
      return op->emitOpError("expected axes in [0, ") << isAxis.size() << "), got " << axis;
    if (isAxis.test(axis)) // C1
      return op->emitOpError("expected each axis once, got ") << axis << " twice";
    isAxis.set(axis);
  }
  if (failed(verifyRow(op, names))) // C1
    return failure();
  return verifyOneElementType(op, {x, reduced}); // C2
}

LogicalResult ReduceOp::verify() { return verifyReduction(*this, getAxes(), getY(), {"x", "a result"}); }
LogicalResult ReduceMaxVjpOp::verify() { return verifyReduction(*this, getAxes(), getDY(), {"x", "d_y", "d_x"}); }
