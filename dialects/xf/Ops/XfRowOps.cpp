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

bool xf::keepsRows(Operation *op) {
  return isa<SoftmaxOp, SoftmaxVjpOp, LayerNormOp, LayerNormVjpOp, RmsNormOp, RmsNormVjpOp>(op);
}

/// Verifies that x has at least one dimension, because the last dimension holds its rows.
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

using Named = std::pair<StringRef, Value>;

/// Verifies that each of `likes` has the shape of x, and that each of `vectors` has the size of a row of x. Also
/// verifies `eps`.
static LogicalResult verifyNorm(Operation *op, Value x, ArrayRef<Named> likes, ArrayRef<Named> vectors,
                                const APFloat &eps) {
  if (failed(verifyHasRows(op, x)))
    return failure();
  SmallVector<Value> values = {x};
  for (auto [name, like] : likes) {
    if (failed(verifyShape(op, name, like, shapeOf(x)))) // C1
      return failure();
    values.push_back(like);
  }
  for (auto [name, vector] : vectors) {
    if (failed(verifyShape(op, name, vector, shapeOf(x).take_back()))) // C1
      return failure();
    values.push_back(vector);
  }
  if (failed(verifyNumber(op, "eps", eps, 0, unbounded))) // C2
    return failure();
  return verifyOneElementType(op, values); // C3
}

LogicalResult LayerNormOp::verify() {
  return verifyNorm(*this, getX(), {{"a result", getY()}}, {{"a weight", getWeight()}, {"a bias", getBias()}},
                    getEps());
}

LogicalResult LayerNormVjpOp::verify() {
  return verifyNorm(*this, getX(), {{"d_y", getDY()}, {"d_x", getDX()}},
                    {{"a weight", getWeight()}, {"d_weight", getDWeight()}, {"d_bias", getDBias()}}, getEps());
}

LogicalResult RmsNormOp::verify() {
  return verifyNorm(*this, getX(), {{"a result", getY()}}, {{"a weight", getWeight()}}, getEps());
}

LogicalResult RmsNormVjpOp::verify() {
  return verifyNorm(*this, getX(), {{"d_y", getDY()}, {"d_x", getDX()}},
                    {{"a weight", getWeight()}, {"d_weight", getDWeight()}}, getEps());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Verifies that `reduced` has the dimensions of x that are not in `axes`.
static LogicalResult verifyReduction(Operation *op, Value x, ArrayRef<int64_t> axes, StringRef what, Value reduced) {
  ArrayRef<int64_t> shape = shapeOf(x);
  llvm::SmallBitVector isAxis(shape.size());
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) // C1
      return op->emitOpError("expected axes in [0, ") << shape.size() << "), got " << axis;
    if (isAxis.test(axis)) // C1
      return op->emitOpError("expected each axis once, got ") << axis << " twice";
    isAxis.set(axis);
  }
  SmallVector<int64_t> kept;
  for (auto [d, size] : llvm::enumerate(shape))
    if (!isAxis.test(d))
      kept.push_back(size);
  if (failed(verifyShape(op, what, reduced, kept))) // C1
    return failure();
  return verifyOneElementType(op, {x, reduced}); // C2
}

LogicalResult ReduceOp::verify() { return verifyReduction(*this, getX(), getAxes(), "a result", getY()); }
LogicalResult ReduceMaxVjpOp::verify() { return verifyReduction(*this, getX(), getAxes(), "d_y", getDY()); }
