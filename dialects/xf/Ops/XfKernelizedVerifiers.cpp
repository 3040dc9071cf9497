//===- XfKernelizedVerifiers.cpp - What kernelised attention refuses ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the constraints C10 to C13 of xf.attention, in this order. Patterns/Families/Kernelized.cpp verifies the
// constraints that concern only the parameters of a kernelised pattern, such as epsilon = 0 with the stabiliser
// `running`.
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfAttentionCall.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

/// Verifies that there is neither dropout nor a score region, because kernelised attention has no probabilities.
static LogicalResult verifyWithoutScores(const AttentionCall &call) {
  if (call.dropout) // C10
    return call.op->emitOpError("expected kernelised attention without dropout, got one");
  if (!call.score.empty()) // C10
    return call.op->emitOpError("expected kernelised attention without a score region, got one");
  return success();
}

//===----------------------------------------------------------------------===//
// C11 and C12: decay, beta, relative
//===----------------------------------------------------------------------===//

/// Verifies that decay, beta or relative weights, if present, have the shape `shape` and the type of scores.
static LogicalResult verifyWeight(const AttentionCall &call, StringRef what, Value weight, ArrayRef<int64_t> shape) {
  if (!weight)
    return success();
  if (getElementTypeOrSelf(weight) != call.accumulator()) // C11
    return call.op->emitOpError("expected ") << what << " of " << call.accumulator() << ", got " << weight.getType();
  return verifyShape(call.op, what, weight, shape); // C11
}

/// Verifies decay and beta. They act on a state that each query hands on to later queries, so the pattern must be
/// causal.
static LogicalResult verifyRecurrence(const AttentionCall &call, KernelizedPatternAttr pattern) {
  SmallVector<int64_t> shape = {call.batches(), call.heads(), call.keys()};
  for (auto [what, weight] : {std::pair("decay", call.decay), std::pair("beta", call.beta)}) {
    if (weight && !(pattern.getOf() && isCausalByForm(pattern.getOf()))) // C11
      return call.op->emitOpError("expected a causal pattern with ") << what << ", got " << call.pattern;
    if (failed(verifyWeight(call, what, weight, shape)))
      return failure();
  }
  return success();
}

static LogicalResult verifyRelative(const AttentionCall &call) {
  if (!call.relative)
    return success();
  int64_t queries = call.queries(), keys = call.keys();
  if (!ShapedType::isDynamic(queries) && !ShapedType::isDynamic(keys) && queries > keys) // C11
    return call.op->emitOpError("expected no more queries than keys with relative, got ") << queries << " and " << keys;
  int64_t distances = ShapedType::isDynamic(keys) ? keys : std::max<int64_t>(2 * keys - 1, 0);
  return verifyWeight(call, "relative", call.relative, {call.heads(), distances});
}

/// Verifies that an op with beta (the delta rule) has neither relative weights nor a stabiliser of the keys. Such a
/// stabiliser multiplies the features of all keys by a factor, which does not cancel in the delta rule.
static LogicalResult verifyDeltaRule(const AttentionCall &call, KernelizedPatternAttr pattern) {
  if (!call.beta)
    return success();
  if (call.relative) // C12
    return call.op->emitOpError("expected beta without relative, got both: no state carries a weight by distance");
  Stabilizer stabilizer = stabilizerOf(pattern);
  if (stabilizer == Stabilizer::k_running || stabilizer == Stabilizer::k_sequence) // C12
    return call.op->emitOpError("expected the stabilizer row or none with beta, in which a stabilizer of the keys "
                                "would not cancel; got ")
           << stringifyStabilizer(stabilizer);
  return success();
}

//===----------------------------------------------------------------------===//
// C13: the feature region
//===----------------------------------------------------------------------===//

static bool isRow(const AttentionCall &call, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 1 && tensor.getElementType() == getElementTypeOrSelf(call.q);
}

static LogicalResult verifyFeatureArguments(const AttentionCall &call) {
  auto arguments = call.feature.getArguments();
  bool fits = arguments.size() == 1 + call.featureCaptures.size() && isRow(call, arguments[0].getType()) &&
              compatible(shapeOf(arguments[0]), call.depth()) &&
              TypeRange(ValueRange(arguments.drop_front())) == TypeRange(call.featureCaptures);
  if (fits) // C13
    return success();
  return call.op->emitOpError("expected a feature region that takes (")
         << RankedTensorType::get(call.depth(), getElementTypeOrSelf(call.q)) << ", captures..), got "
         << TypeRange(ValueRange(arguments));
}

static LogicalResult verifyFeatureBody(const AttentionCall &call) {
  Block &body = call.feature.front();
  for (Operation &inner : body.without_terminator())
    if (!isPure(&inner) || !(isa<arith::ConstantOp>(inner) || inner.getDialect() == call.op->getDialect())) // C13
      return inner.emitOpError("expected an xf op without side effects, or a constant, in a feature region");
  if (!isa<YieldOp>(body.back())) // C13
    return body.back().emitOpError("expected xf.yield at the end of a feature region");
  TypeRange yielded = body.back().getOperandTypes();
  if (yielded.size() != 1 || !isRow(call, yielded.front())) // C13
    return call.op->emitOpError("expected the feature region to yield one row of ")
           << getElementTypeOrSelf(call.q) << ", got " << yielded;
  return success();
}

static LogicalResult verifyFeature(const AttentionCall &call, KernelizedPatternAttr pattern) {
  if (call.feature.empty())
    return success();
  if (pattern.getFeature() != Feature::k_identity) // C13
    return call.op->emitOpError("expected feature = identity with a feature region, got ")
           << stringifyFeature(pattern.getFeature());
  return success(succeeded(verifyFeatureArguments(call)) && succeeded(verifyFeatureBody(call)));
}

/// Verifies that attention of any other kind has none of the clauses of kernelised attention.
static LogicalResult verifyNoClauses(const AttentionCall &call) {
  for (auto [what, isThere] :
       {std::pair("decay", call.decay != nullptr), std::pair("beta", call.beta != nullptr),
        std::pair("relative", call.relative != nullptr), std::pair("feature", !call.feature.empty())})
    if (isThere) // C11
      return call.op->emitOpError("expected kernelised attention with the clause '")
             << what << "', got " << call.pattern;
  return success();
}

LogicalResult xf::verifyKernelizedClauses(const AttentionCall &call) {
  auto pattern = dyn_cast<KernelizedPatternAttr>(call.pattern);
  if (!pattern)
    return verifyNoClauses(call);
  return success(succeeded(verifyWithoutScores(call)) && succeeded(verifyRecurrence(call, pattern)) &&
                 succeeded(verifyRelative(call)) && succeeded(verifyDeltaRule(call, pattern)) &&
                 succeeded(verifyFeature(call, pattern)));
}
