//===- RowRules.cpp - Softmax, norms and reductions -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "test/reference/Rules.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

static void evaluateSoftmax(SoftmaxOp op, Frame &frame) {
  Tensor y = frame[op.getX()];
  for (int64_t n = 0; n < y.rows(); ++n) {
    MutableArrayRef<double> row(y.row(n), y.columns());
    double top = *llvm::max_element(row), sum = 0;
    for (double &element : row)
      sum += element = std::exp(element - top);
    for (double &element : row)
      element /= sum;
  }
  frame.set(op.getY(), y);
}

/// dx = y (dy - sum(y dy))
static Tensor softmaxGradient(const Tensor &y, const Tensor &dy) {
  Tensor dx = Tensor::zerosLike(y);
  for (int64_t n = 0; n < y.rows(); ++n) {
    double mean = std::inner_product(y.row(n), y.row(n) + y.columns(), dy.row(n), 0.0);
    for (int64_t c = 0; c < y.columns(); ++c)
      dx.row(n)[c] = y.row(n)[c] * (dy.row(n)[c] - mean);
  }
  return dx;
}

static void differentiateSoftmax(SoftmaxOp op, const Frame &frame, Cotangents &cotangents) {
  cotangents.add(op.getX(), softmaxGradient(frame[op.getY()], cotangents[op.getY()]));
}

static LogicalResult evaluateSoftmaxVjp(SoftmaxVjpOp op, Frame &frame) {
  if (failed(verifyEqualShapes(op, frame, op->getOperands())))
    return failure();
  frame.set(op.getDX(), softmaxGradient(frame[op.getY()], frame[op.getDY()]));
  return success();
}

//===----------------------------------------------------------------------===//
// layer_norm and rms_norm: y = normalized(x) weight + bias
//===----------------------------------------------------------------------===//

namespace {
/// A row less its mean (layer_norm) and divided by sqrt(mean square + eps).
struct NormalizedRow {
  std::vector<double> values;
  double deviation;

  NormalizedRow(ArrayRef<double> x, bool centered, double eps) : values(x.begin(), x.end()) {
    double size = x.size(), mean = centered ? std::accumulate(x.begin(), x.end(), 0.0) / size : 0;
    for (double &value : values)
      value -= mean;
    deviation = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / size + eps);
    for (double &value : values)
      value /= deviation;
  }
};

struct NormGradients {
  Tensor x, weight, bias;
};
} // namespace

static Tensor normalize(const Tensor &x, const Tensor *weight, const Tensor *bias, bool centered, double eps) {
  Tensor y = Tensor::zerosLike(x);
  for (int64_t n = 0; n < x.rows(); ++n) {
    NormalizedRow row(ArrayRef(x.row(n), x.columns()), centered, eps);
    for (int64_t c = 0; c < x.columns(); ++c)
      y.row(n)[c] = row.values[c] * (weight ? weight->reals[c] : 1) + (bias ? bias->reals[c] : 0);
  }
  return y;
}

/// With r the normalized row, g = dy weight: dx = (g - mean(g) - r mean(g r)) / deviation, without mean(g) where the
/// row was not centered; d_weight = sum dy r; d_bias = sum dy.
static NormGradients normGradients(const Tensor &x, const Tensor *weight, const Tensor &dy, bool centered, double eps) {
  NormGradients gradients{Tensor::zerosLike(x), Tensor::zeros(x.elementType, x.columns()),
                          Tensor::zeros(x.elementType, x.columns())};
  for (int64_t n = 0; n < x.rows(); ++n) {
    NormalizedRow row(ArrayRef(x.row(n), x.columns()), centered, eps);
    double mean = 0, meanProduct = 0, size = x.columns();
    std::vector<double> g(dy.row(n), dy.row(n) + x.columns());
    for (int64_t c = 0; c < x.columns(); ++c) {
      gradients.weight.reals[c] += g[c] * row.values[c];
      gradients.bias.reals[c] += g[c];
      g[c] *= weight ? weight->reals[c] : 1;
      mean += centered ? g[c] / size : 0;
      meanProduct += g[c] * row.values[c] / size;
    }
    for (int64_t c = 0; c < x.columns(); ++c)
      gradients.x.row(n)[c] = (g[c] - mean - row.values[c] * meanProduct) / row.deviation;
  }
  return gradients;
}

static const Tensor *optional(const Frame &frame, Value value) { return value ? &frame[value] : nullptr; }

/// Weight and bias have the size of the last dimension.
static LogicalResult verifyNorm(Operation *op, const Frame &frame, ArrayRef<Value> vectors) {
  const Tensor &x = frame[op->getOperand(0)];
  for (Value vector : vectors)
    if (x.rank() < 1 || (vector && frame[vector].size() != x.columns()))
      return op->emitError("expected a weight and bias of ") << x.columns() << " elements";
  return success();
}

static LogicalResult evaluateLayerNorm(LayerNormOp op, Frame &frame) {
  if (failed(verifyNorm(op, frame, {op.getWeight(), op.getBias()})))
    return failure();
  frame.set(op.getY(), normalize(frame[op.getX()], optional(frame, op.getWeight()), optional(frame, op.getBias()),
                                 /*centered=*/true, op.getEps().convertToDouble()));
  return success();
}

static LogicalResult evaluateRmsNorm(RmsNormOp op, Frame &frame) {
  if (failed(verifyNorm(op, frame, {op.getWeight()})))
    return failure();
  frame.set(op.getY(), normalize(frame[op.getX()], optional(frame, op.getWeight()), nullptr, /*centered=*/false,
                                 op.getEps().convertToDouble()));
  return success();
}

static void differentiateLayerNorm(LayerNormOp op, const Frame &frame, Cotangents &cotangents) {
  NormGradients gradients = normGradients(frame[op.getX()], optional(frame, op.getWeight()), cotangents[op.getY()],
                                          /*centered=*/true, op.getEps().convertToDouble());
  cotangents.add(op.getX(), gradients.x);
  if (op.getWeight())
    cotangents.add(op.getWeight(), gradients.weight);
  if (op.getBias())
    cotangents.add(op.getBias(), gradients.bias);
}

static void differentiateRmsNorm(RmsNormOp op, const Frame &frame, Cotangents &cotangents) {
  NormGradients gradients = normGradients(frame[op.getX()], optional(frame, op.getWeight()), cotangents[op.getY()],
                                          /*centered=*/false, op.getEps().convertToDouble());
  cotangents.add(op.getX(), gradients.x);
  if (op.getWeight())
    cotangents.add(op.getWeight(), gradients.weight);
}

static LogicalResult evaluateLayerNormVjp(LayerNormVjpOp op, Frame &frame) {
  if (failed(verifyNorm(op, frame, {op.getWeight()})) || failed(verifyEqualShapes(op, frame, {op.getX(), op.getDY()})))
    return failure();
  NormGradients gradients = normGradients(frame[op.getX()], optional(frame, op.getWeight()), frame[op.getDY()],
                                          /*centered=*/true, op.getEps().convertToDouble());
  frame.set(op.getDX(), gradients.x);
  if (op.getDWeight())
    frame.set(op.getDWeight(), gradients.weight);
  if (op.getDBias())
    frame.set(op.getDBias(), gradients.bias);
  return success();
}

static LogicalResult evaluateRmsNormVjp(RmsNormVjpOp op, Frame &frame) {
  if (failed(verifyNorm(op, frame, {op.getWeight()})) || failed(verifyEqualShapes(op, frame, {op.getX(), op.getDY()})))
    return failure();
  NormGradients gradients = normGradients(frame[op.getX()], optional(frame, op.getWeight()), frame[op.getDY()],
                                          /*centered=*/false, op.getEps().convertToDouble());
  frame.set(op.getDX(), gradients.x);
  if (op.getDWeight())
    frame.set(op.getDWeight(), gradients.weight);
  return success();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// x's shape with size 1 where an axis is reduced: an element of x goes to the one that broadcasting would read.
static FailureOr<SmallVector<int64_t>> reducedShape(Operation *op, const Tensor &x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape = x.shape;
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= x.rank())
      return op->emitError("expected axes in [0, ") << x.rank() << "), got " << axis;
    shape[axis] = 1;
  }
  return shape;
}

/// For each element of a maximum the number of the first element of x that has it, NaN before all; -1 for none.
static std::vector<int64_t> firstLargest(const Tensor &x, ArrayRef<int64_t> shape) {
  std::vector<int64_t> largest(count(shape), -1);
  for (int64_t n = 0; n < x.size(); ++n) {
    int64_t &best = largest[broadcastIndex(n, x.shape, shape)];
    if (best < 0 || (!std::isnan(x.reals[best]) && !(x.reals[n] <= x.reals[best])))
      best = n;
  }
  return largest;
}

static LogicalResult evaluateReduce(ReduceOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()];
  FailureOr<SmallVector<int64_t>> shape = reducedShape(op, x, op.getAxes());
  if (failed(shape))
    return failure();
  Tensor y = sumTo(*shape, x);
  if (op.getKind() == Reduction::k_mean)
    for (double &element : y.reals)
      element /= static_cast<double>(x.size()) / y.size();
  if (op.getKind() == Reduction::k_max)
    for (auto [element, best] : llvm::zip(y.reals, firstLargest(x, *shape)))
      element = best < 0 ? -INFINITY : x.reals[best];
  y.shape.clear();
  for (int64_t d = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(op.getAxes(), d))
      y.shape.push_back(x.shape[d]);
  frame.set(op.getY(), y);
  return success();
}

/// dx has dy at the first largest element of each group.
static Tensor maximumGradient(const Tensor &x, const Tensor &dy, ArrayRef<int64_t> shape) {
  Tensor dx = Tensor::zerosLike(x);
  for (auto [cotangent, best] : llvm::zip(dy.reals, firstLargest(x, shape)))
    if (best >= 0)
      dx.reals[best] = cotangent;
  return dx;
}

static LogicalResult differentiateReduce(ReduceOp op, const Frame &frame, Cotangents &cotangents) {
  const Tensor &x = frame[op.getX()];
  FailureOr<SmallVector<int64_t>> shape = reducedShape(op, x, op.getAxes());
  if (failed(shape))
    return failure();
  Tensor dy = cotangents[op.getY()], dx = Tensor::zerosLike(x);
  double share = op.getKind() == Reduction::k_mean ? static_cast<double>(dy.size()) / x.size() : 1;
  for (int64_t n = 0; n < x.size(); ++n)
    dx.reals[n] = dy.reals[broadcastIndex(n, x.shape, *shape)] * share;
  cotangents.add(op.getX(), op.getKind() == Reduction::k_max ? maximumGradient(x, dy, *shape) : dx);
  return success();
}

static LogicalResult evaluateReduceMaxVjp(ReduceMaxVjpOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()], &dy = frame[op.getDY()];
  FailureOr<SmallVector<int64_t>> shape = reducedShape(op, x, op.getAxes());
  if (failed(shape))
    return failure();
  if (dy.size() != count(*shape))
    return op.emitError("expected a cotangent of ") << count(*shape) << " elements, got " << dy.size();
  frame.set(op.getDX(), maximumGradient(x, dy, *shape));
  return success();
}

void reference::addRowRules(Rules &rules) {
  rules.add<SoftmaxOp>(evaluateSoftmax, differentiateSoftmax);
  rules.add<SoftmaxVjpOp>(evaluateSoftmaxVjp);
  rules.add<LayerNormOp>(evaluateLayerNorm, differentiateLayerNorm);
  rules.add<LayerNormVjpOp>(evaluateLayerNormVjp);
  rules.add<RmsNormOp>(evaluateRmsNorm, differentiateRmsNorm);
  rules.add<RmsNormVjpOp>(evaluateRmsNormVjp);
  rules.add<ReduceOp>(evaluateReduce, differentiateReduce);
  rules.add<ReduceMaxVjpOp>(evaluateReduceMaxVjp);
}
