//===- OptimizerRules.cpp - Gradient clipping, AdamW, SGD -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "test/reference/Rules.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

static void evaluateClipScale(ClipScaleOp op, Frame &frame) {
  double sum = 0;
  for (Value gradient : op.getGradients())
    for (double element : frame[gradient].reals)
      sum += element * element;
  Tensor scale = Tensor::zeros(op.getScale().getType().getElementType(), op.getScale().getType().getShape());
  double limit = op.getMaxNorm().convertToDouble() / (std::sqrt(sum) + 1e-6);
  scale.reals.assign(scale.reals.size(), limit < 1 || std::isnan(limit) ? limit : 1);
  frame.set(op.getScale(), scale);
}

/// Rate, clip and step are scalars.
static LogicalResult verifyScalars(Operation *op, const Frame &frame, ArrayRef<Value> values) {
  for (Value value : values)
    if (frame[value].size() != 1)
      return op->emitError("expected a scalar, got ") << value.getType();
  return success();
}

/// Returns the numbers that an update starts from: those of the master, if there is one, which round to the parameter,
/// else the parameter's.
static Tensor startOf(Value parameter, Value master, const Frame &frame) {
  Tensor p = frame[parameter];
  for (int64_t n = 0; master && n < p.size(); ++n)
    if (double wide = frame[master].reals[n]; roundTo(p.elementType, wide) == roundTo(p.elementType, p.reals[n]))
      p.reals[n] = wide;
  return p;
}

/// Sets the new parameter and, if there is one, the new master to the numbers `p`.
static void setParameter(Value parameter, Value master, Tensor p, Frame &frame) {
  frame.set(parameter, p);
  if (!master)
    return;
  p.elementType = cast<RankedTensorType>(master.getType()).getElementType();
  frame.set(master, p);
}

static LogicalResult evaluateAdamW(AdamWOp op, Frame &frame) {
  SmallVector<Value> tensors = {op.getParameter(), op.getGradient(), op.getFirst(), op.getSecond()};
  if (op.getMaster())
    tensors.push_back(op.getMaster());
  if (failed(verifyScalars(op, frame, {op.getRate(), op.getClip(), op.getStep()})) ||
      failed(verifyEqualShapes(op, frame, tensors)))
    return failure();
  Tensor p = startOf(op.getParameter(), op.getMaster(), frame), m = frame[op.getFirst()], v = frame[op.getSecond()];
  const Tensor &gradient = frame[op.getGradient()];
  double rate = frame[op.getRate()].reals[0], clip = frame[op.getClip()].reals[0];
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble();
  double eps = op.getEps().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  double step = frame[op.getStep()].integers[0];
  for (int64_t n = 0; n < p.size(); ++n) {
    double g = clip * gradient.reals[n];
    m.reals[n] = beta1 * m.reals[n] + (1 - beta1) * g;
    v.reals[n] = beta2 * v.reals[n] + (1 - beta2) * g * g;
    double mean = m.reals[n] / (1 - std::pow(beta1, step)), square = v.reals[n] / (1 - std::pow(beta2, step));
    p.reals[n] = p.reals[n] * (1 - rate * decay) - rate * mean / (std::sqrt(square) + eps);
  }
  setParameter(op.getNewParameter(), op.getNewMaster(), std::move(p), frame);
  frame.set(op.getNewFirst(), m);
  frame.set(op.getNewSecond(), v);
  return success();
}

static LogicalResult evaluateSgd(SgdOp op, Frame &frame) {
  SmallVector<Value> tensors = {op.getParameter(), op.getGradient(), op.getVelocity()};
  if (op.getMaster())
    tensors.push_back(op.getMaster());
  if (failed(verifyScalars(op, frame, {op.getRate(), op.getClip()})) || failed(verifyEqualShapes(op, frame, tensors)))
    return failure();
  Tensor p = startOf(op.getParameter(), op.getMaster(), frame), v = frame[op.getVelocity()];
  const Tensor &gradient = frame[op.getGradient()];
  double rate = frame[op.getRate()].reals[0], clip = frame[op.getClip()].reals[0];
  double momentum = op.getMomentum().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  for (int64_t n = 0; n < p.size(); ++n) {
    v.reals[n] = momentum * v.reals[n] + clip * gradient.reals[n] + decay * p.reals[n];
    p.reals[n] -= rate * v.reals[n];
  }
  setParameter(op.getNewParameter(), op.getNewMaster(), std::move(p), frame);
  frame.set(op.getNewVelocity(), v);
  return success();
}

void reference::addOptimizerRules(Rules &rules) {
  rules.add<ClipScaleOp>(evaluateClipScale);
  rules.add<AdamWOp>(evaluateAdamW);
  rules.add<SgdOp>(evaluateSgd);
}
