//===- AttentionRules.cpp - xf.attention and its gradient -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/SymbolRange.h"
#include "test/reference/Rules.h"
#include "test/reference/attention/Attention.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// Reading the clauses
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult verifyShapes(OpTy op, const AttentionCall &call) {
  const Tensor &q = *call.q, &k = *call.k, &v = *call.v;
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4)
    return op.emitError("expected q, k, v of rank 4, got ") << q.rank() << ", " << k.rank() << " and " << v.rank();
  bool agree =
      k.shape[0] == q.shape[0] && v.shape[0] == q.shape[0] && v.shape[2] == k.shape[2] && k.shape[3] == q.shape[3];
  if (!agree)
    return op.emitError("expected q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, got shapes [")
           << q.shape << "], [" << k.shape << "] and [" << v.shape << "]";
  for (int64_t heads : {k.shape[1], v.shape[1]})
    if (heads < 1 || q.shape[1] % heads)
      return op.emitError("expected ") << q.shape[1] << " query heads to be a multiple of key and value heads, got "
                                       << heads;
  for (auto [clause, tokens] : {std::pair(call.clauses.lengths, int64_t(1)),
                                {call.clauses.queryLengths, int64_t(1)},
                                {call.clauses.segmentsQ, call.allQueries},
                                {call.clauses.segmentsK, call.keys()}})
    if (clause && clause->size() != q.shape[0] * tokens)
      return op.emitError("expected a clause of ") << q.shape[0] * tokens << " integers, got " << clause->size();
  SmallVector<int64_t> byKey = {q.shape[0], q.shape[1], call.keys()};
  for (const Tensor *weight : {call.decay, call.beta})
    if (weight && weight->shape != byKey)
      return op.emitError("expected weights of keys of shape [") << byKey << "], got [" << weight->shape << "]";
  SmallVector<int64_t> byDistance = {q.shape[1], std::max<int64_t>(2 * call.keys() - 1, 0)};
  if (call.relative && (call.relative->shape != byDistance || call.queries() > call.keys()))
    return op.emitError("expected relative of shape [")
           << byDistance << "] and no more queries than keys, got [" << call.relative->shape << "]";
  for (const Tensor *symbol : call.clauses.symbols) {
    if (symbol->rank() > 2 || symbol->shape != ArrayRef(q.shape).take_front(symbol->rank()))
      return op.emitError("expected a symbol of shape [], [B] or [B, H], got [") << symbol->shape << "]";
    for (int64_t value : symbol->integers)
      if (value < -maxSymbol || value > maxSymbol)
        return op.emitError("expected symbols between ") << -maxSymbol << " and " << maxSymbol << ", got " << value;
  }
  return success();
}

template <typename OpTy>
static FailureOr<AttentionCall> readCall(OpTy op, const Frame &frame) {
  auto optional = [&](Value value) { return value ? &frame[value] : nullptr; };
  auto several = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return &frame[value]; });
  };
  AttentionCall call{op, op.getPattern(), &frame[op.getQ()], &frame[op.getK()], &frame[op.getV()]};
  call.params = several(op.getParams());
  call.captures = several(op.getCaptures());
  call.featureCaptures = several(op.getFeatureCaptures());
  call.decay = optional(op.getDecay());
  call.beta = optional(op.getBeta());
  call.relative = optional(op.getRelative());
  call.clauses = {optional(op.getLengths()),   optional(op.getQueryLengths()), optional(op.getSegmentsQ()),
                  optional(op.getSegmentsK()), optional(op.getTableOffsets()), optional(op.getTableColumns()),
                  several(op.getSymbols())};
  call.allQueries = call.q->rank() > 2 ? call.queries() : 0;
  if (op.getPart()) {
    const Tensor &part = frame[op.getPart()];
    call.firstRow = part.integers[0] * call.allQueries;
    call.allQueries = part.integers[1] * call.allQueries;
  }
  if (failed(verifyShapes(op, call)))
    return failure();
  call.scale = op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(double(call.depth()));
  call.firstPosition = call.keys() - call.allQueries + call.firstRow;
  if (!op.getScore().empty())
    call.score = &op.getScore().front();
  if (!op.getFeature().empty())
    call.feature = &op.getFeature().front();
  if (!op.getDropout())
    return call;
  const Tensor &seed = frame[op.getSeed()];
  if (seed.size() != 2)
    return op.emitError("expected a seed of two integers, got ") << op.getSeed().getType();
  call.dropout = op.getDropout()->convertToDouble();
  call.seed = {seed.integers[0], seed.integers[1]};
  return call;
}

AttentionGradients::AttentionGradients(const AttentionCall &call)
    : q(Tensor::zerosLike(*call.q)), k(Tensor::zerosLike(*call.k)), v(Tensor::zerosLike(*call.v)) {
  for (const Tensor *param : call.params)
    params.push_back(Tensor::zerosLike(*param));
  for (const Tensor *capture : call.captures)
    captures.push_back(Tensor::zerosLike(*capture));
  for (const Tensor *capture : call.featureCaptures)
    featureCaptures.push_back(Tensor::zerosLike(*capture));
  for (auto [weight, gradient] : {std::pair(call.decay, &decay), {call.beta, &beta}, {call.relative, &relative}})
    if (weight)
      *gradient = Tensor::zerosLike(*weight);
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

static FailureOr<AttentionValue> evaluateCall(const AttentionCall &call) {
  if (isa<KernelizedPatternAttr>(call.pattern))
    return evaluateKernelized(call);
  if (isa<LowRankPatternAttr>(call.pattern))
    return evaluateLowRank(call);
  return evaluateSetAttention(call);
}

static FailureOr<AttentionGradients> differentiateCall(const AttentionCall &call, const AttentionValue &value,
                                                       const AttentionValue &cotangent) {
  if (isa<KernelizedPatternAttr>(call.pattern))
    return differentiateKernelized(call, value, cotangent);
  if (isa<LowRankPatternAttr>(call.pattern))
    return differentiateLowRank(call, value, cotangent);
  return differentiateSetAttention(call, value, cotangent);
}

static LogicalResult evaluateAttention(AttentionOp op, Frame &frame) {
  FailureOr<AttentionCall> call = readCall(op, frame);
  if (failed(call))
    return failure();
  FailureOr<AttentionValue> value = evaluateCall(*call);
  if (failed(value))
    return failure();
  frame.set(op.getO(), value->o);
  if (op.getLse())
    frame.set(op.getLse(), value->lse);
  return success();
}

static LogicalResult differentiateAttention(AttentionOp op, const Frame &frame, Cotangents &cotangents) {
  FailureOr<AttentionCall> call = readCall(op, frame);
  if (failed(call))
    return failure();
  FailureOr<AttentionValue> value = evaluateCall(*call);
  if (failed(value))
    return failure();
  AttentionValue cotangent{cotangents[op.getO()],
                           op.getLse() ? cotangents[op.getLse()] : Tensor::zerosLike(value->lse)};
  FailureOr<AttentionGradients> gradients = differentiateCall(*call, *value, cotangent);
  if (failed(gradients))
    return failure();
  cotangents.add(op.getQ(), gradients->q);
  cotangents.add(op.getK(), gradients->k);
  cotangents.add(op.getV(), gradients->v);
  for (auto [param, gradient] : llvm::zip(op.getParams(), gradients->params))
    cotangents.add(param, gradient);
  for (auto [weight, gradient] : {std::pair(op.getDecay(), &gradients->decay),
                                  {op.getBeta(), &gradients->beta},
                                  {op.getRelative(), &gradients->relative}})
    if (*gradient)
      cotangents.add(weight, **gradient);
  for (auto [capture, gradient] : llvm::zip(op.getFeatureCaptures(), gradients->featureCaptures))
    cotangents.add(capture, gradient);
  for (auto [capture, gradient] : llvm::zip(op.getCaptures(), gradients->captures))
    cotangents.add(capture, gradient);
  return success();
}

/// The given lse and what it is the sum of: as an attention of the program computed it, else itself and 0.
static FailureOr<AttentionValue> lseOf(AttentionVjpOp op, Frame &frame, const Tensor &none) {
  auto forward = op.getLse() ? op.getLse().getDefiningOp<AttentionOp>() : AttentionOp();
  if (!forward) {
    const Tensor &lse = op.getLse() ? frame[op.getLse()] : none;
    return AttentionValue{{}, lse, lse, none};
  }
  FailureOr<AttentionCall> call = readCall(forward, frame);
  return failed(call) ? FailureOr<AttentionValue>(failure()) : evaluateCall(*call);
}

static LogicalResult evaluateAttentionVjp(AttentionVjpOp op, Frame &frame) {
  FailureOr<AttentionCall> call = readCall(op, frame);
  if (failed(call))
    return failure();
  SmallVector<int64_t> rows(ArrayRef(call->q->shape).drop_back());
  auto fitsRows = [&](Value value) { return !value || frame[value].shape == rows; };
  bool fits =
      fitsRows(op.getLse()) && fitsRows(op.getDLse()) && frame[op.getO()].size() == count(rows) * call->valueDepth();
  if (!fits || failed(verifyEqualShapes(op, frame, {op.getO(), op.getDO()})))
    return op.emitError("expected o and d_o of shape [")
           << rows << ", " << call->valueDepth() << "], lse of [" << rows << "]";
  Tensor none = Tensor::zeros(call->q->elementType, rows);
  FailureOr<AttentionValue> parts = lseOf(op, frame, none);
  if (failed(parts))
    return failure();
  AttentionValue value = *parts;
  value.o = frame[op.getO()];
  AttentionValue cotangent{frame[op.getDO()], op.getDLse() ? frame[op.getDLse()] : none};
  FailureOr<AttentionGradients> gradients = differentiateCall(*call, value, cotangent);
  if (failed(gradients))
    return failure();
  frame.set(op.getDQ(), gradients->q);
  frame.set(op.getDK(), gradients->k);
  frame.set(op.getDV(), gradients->v);
  for (auto [result, gradient] : llvm::zip(op.getDParams(), gradients->params))
    frame.set(result, gradient);
  for (auto [result, gradient] : {std::pair(op.getDDecay(), &gradients->decay),
                                  {op.getDBeta(), &gradients->beta},
                                  {op.getDRelative(), &gradients->relative}})
    if (*gradient)
      frame.set(result, **gradient);
  auto isInteger = [](const Tensor &gradient) { return !gradient.isReal(); };
  for (auto [results, tensors] : {std::pair(op.getDFeatureCaptures(), &gradients->featureCaptures),
                                  std::pair(op.getDCaptures(), &gradients->captures)}) {
    llvm::erase_if(*tensors, isInteger);
    for (auto [result, gradient] : llvm::zip(results, *tensors))
      frame.set(result, gradient);
  }
  return success();
}

void reference::addAttentionRules(Rules &rules) {
  rules.add<AttentionOp>(evaluateAttention, differentiateAttention);
  rules.add<AttentionVjpOp>(evaluateAttentionVjp);
}
