//===- TrainingRules.cpp - Embeddings, loss, dropout ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Patterns/RandomDraw.h"
#include "test/reference/Rules.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// embedding
//===----------------------------------------------------------------------===//

static FailureOr<Tensor> idsOf(EmbeddingOp op, const Frame &frame) {
  return idsWithin(op, frame, op.getIds(), frame[op.getTable()].shape[0]);
}
static FailureOr<Tensor> idsOf(EmbeddingVjpOp op, const Frame &frame) {
  return idsWithin(op, frame, op.getIds(), op.getDTable().getType().getDimSize(0));
}

static LogicalResult evaluateEmbedding(EmbeddingOp op, Frame &frame) {
  const Tensor &table = frame[op.getTable()];
  if (table.rank() != 2)
    return op.emitError("expected a table VxE, got ") << op.getTable().getType();
  FailureOr<Tensor> ids = idsOf(op, frame);
  if (failed(ids))
    return failure();
  SmallVector<int64_t> shape = ids->shape;
  shape.push_back(table.columns());
  Tensor y = Tensor::zeros(table.elementType, shape);
  for (auto [n, id] : llvm::enumerate(ids->integers))
    std::copy_n(table.row(id), table.columns(), y.row(n));
  frame.set(op.getY(), y);
  return success();
}

/// Adds row n of dy to the row of the table that place n was read from.
static Tensor embeddingGradient(const Tensor &ids, const Tensor &dy, Tensor dTable) {
  for (auto [n, id] : llvm::enumerate(ids.integers))
    for (int64_t c = 0; c < dTable.columns(); ++c)
      dTable.row(id)[c] += dy.row(n)[c];
  return dTable;
}

static void differentiateEmbedding(EmbeddingOp op, const Frame &frame, Cotangents &cotangents) {
  Tensor dTable = Tensor::zerosLike(frame[op.getTable()]);
  cotangents.add(op.getTable(), embeddingGradient(*idsOf(op, frame), cotangents[op.getY()], dTable));
}

static LogicalResult evaluateEmbeddingVjp(EmbeddingVjpOp op, Frame &frame) {
  auto type = op.getDTable().getType();
  const Tensor &dy = frame[op.getDY()];
  bool fits = type.getRank() == 2 && !type.isDynamicDim(0) && dy.rows() == frame[op.getIds()].size();
  SmallVector<int64_t> shape(type.getShape());
  if (fits && type.isDynamicDim(1))
    shape[1] = op.getInitial() ? frame[op.getInitial()].columns() : dy.columns();
  if (!fits || shape[1] != dy.columns())
    return op.emitError("expected a table of static rows x ") << dy.columns() << " and one row per id, got " << type;
  FailureOr<Tensor> ids = idsOf(op, frame);
  if (failed(ids))
    return failure();
  Tensor initial = op.getInitial() ? frame[op.getInitial()] : Tensor::zeros(type.getElementType(), shape);
  frame.set(op.getDTable(), embeddingGradient(*ids, dy, initial));
  return success();
}

static void differentiateEmbeddingVjp(EmbeddingVjpOp op, const Frame &frame, Cotangents &cotangents) {
  Tensor dTable = cotangents[op.getDTable()], dY = Tensor::zerosLike(frame[op.getDY()]);
  Tensor ids = *idsOf(op, frame);
  for (auto [n, id] : llvm::enumerate(ids.integers))
    std::copy_n(dTable.row(id), dTable.columns(), dY.row(n));
  cotangents.add(op.getDY(), dY);
  if (op.getInitial())
    cotangents.add(op.getInitial(), dTable);
}

//===----------------------------------------------------------------------===//
// cross_entropy
//===----------------------------------------------------------------------===//

/// The target of a row that does not count.
static constexpr int64_t ignoredTarget = -100;

static double logSumExp(ArrayRef<double> row) {
  double top = *llvm::max_element(row), sum = 0;
  for (double element : row)
    sum += std::exp(element - top);
  return top + std::log(sum);
}

static int64_t countTargets(const Tensor &targets) {
  return llvm::count_if(targets.integers, [](int64_t target) { return target != ignoredTarget; });
}

template <typename OpTy>
static FailureOr<Tensor> targetsOf(OpTy op, const Frame &frame) {
  const Tensor &logits = frame[op.getLogits()];
  if (logits.rank() < 1 || logits.columns() < 1 || logits.rows() != frame[op.getTargets()].size())
    return op->emitError("expected logits ..xV and targets .., got ") << op->getOperandTypes();
  return idsWithin(op, frame, op.getTargets(), logits.columns(), ignoredTarget);
}

static LogicalResult evaluateCrossEntropy(CrossEntropyOp op, Frame &frame) {
  const Tensor &logits = frame[op.getLogits()];
  FailureOr<Tensor> targets = targetsOf(op, frame);
  if (failed(targets))
    return failure();
  Tensor loss = Tensor::zeros(op.getLoss().getType().getElementType(), {});
  Tensor lse = Tensor::zeros(op.getLse().getType().getElementType(), targets->shape);
  int64_t number = countTargets(*targets);
  for (int64_t n = 0; n < logits.rows(); ++n) {
    lse.reals[n] = logSumExp(ArrayRef(logits.row(n), logits.columns()));
    if (targets->integers[n] != ignoredTarget)
      loss.reals[0] += (lse.reals[n] - logits.row(n)[targets->integers[n]]) / number;
  }
  frame.set(op.getLoss(), loss);
  frame.set(op.getLse(), lse);
  return success();
}

/// d_loss (softmax(logits) - onehot(target)) / count, 0 for rows that do not count; `dLse`, where there is one, adds
/// d_lse softmax(logits) to every row.
static Tensor crossEntropyGradient(const Tensor &logits, const Tensor &targets, const Tensor &lse, double dLoss,
                                   const Tensor *dLse) {
  Tensor gradient = Tensor::zerosLike(logits);
  int64_t number = countTargets(targets);
  for (int64_t n = 0; n < logits.rows(); ++n) {
    bool counts = targets.integers[n] != ignoredTarget;
    double weight = counts ? dLoss / number : 0, share = weight + (dLse ? dLse->reals[n] : 0);
    for (int64_t c = 0; c < logits.columns() && (counts || dLse); ++c)
      gradient.row(n)[c] = share * std::exp(logits.row(n)[c] - lse.reals[n]);
    if (counts)
      gradient.row(n)[targets.integers[n]] -= weight;
  }
  return gradient;
}

static void differentiateCrossEntropy(CrossEntropyOp op, const Frame &frame, Cotangents &cotangents) {
  Tensor dLse = cotangents[op.getLse()];
  double dLoss = cotangents[op.getLoss()].reals[0];
  cotangents.add(op.getLogits(), crossEntropyGradient(frame[op.getLogits()], *targetsOf(op, frame), frame[op.getLse()],
                                                      dLoss, cotangents.has(op.getLse()) ? &dLse : nullptr));
}

static LogicalResult evaluateCrossEntropyVjp(CrossEntropyVjpOp op, Frame &frame) {
  FailureOr<Tensor> targets = targetsOf(op, frame);
  if (failed(targets) || failed(verifyEqualShapes(op, frame, {op.getTargets(), op.getLse()})))
    return failure();
  frame.set(op.getDLogits(), crossEntropyGradient(frame[op.getLogits()], *targets, frame[op.getLse()],
                                                  frame[op.getDLoss()].reals[0], nullptr));
  return success();
}

//===----------------------------------------------------------------------===//
// dropout and after
//===----------------------------------------------------------------------===//

/// x / (1 - p) where the element is kept, else 0.
static Tensor dropout(DropoutOp op, Tensor x, const Tensor &seed) {
  double p = op.getP().convertToDouble();
  for (auto [number, element] : llvm::enumerate(x.reals)) {
    std::array<uint32_t, 3> rest = {uint32_t(number / 4 >> 32), 0, 0};
    bool keeps = keepsElement({seed.integers[0], seed.integers[1]}, number, rest, p);
    element = keeps ? element / (1 - p) : 0;
  }
  return x;
}

static LogicalResult evaluateDropout(DropoutOp op, Frame &frame) {
  const Tensor &seed = frame[op.getSeed()];
  if (seed.size() != 2)
    return op.emitError("expected a seed of two integers, got ") << op.getSeed().getType();
  frame.set(op.getY(), dropout(op, frame[op.getX()], seed));
  return success();
}

static void differentiateDropout(DropoutOp op, const Frame &frame, Cotangents &cotangents) {
  cotangents.add(op.getX(), dropout(op, cotangents[op.getY()], frame[op.getSeed()]));
}

static void evaluateAfter(AfterOp op, Frame &frame) { frame.set(op.getY(), frame[op.getX()]); }

static void differentiateAfter(AfterOp op, const Frame &, Cotangents &cotangents) {
  cotangents.add(op.getX(), cotangents[op.getY()]);
}

void reference::addTrainingRules(Rules &rules) {
  rules.add<EmbeddingOp>(evaluateEmbedding, differentiateEmbedding);
  rules.add<EmbeddingVjpOp>(evaluateEmbeddingVjp, differentiateEmbeddingVjp);
  rules.add<CrossEntropyOp>(evaluateCrossEntropy, differentiateCrossEntropy);
  rules.add<CrossEntropyVjpOp>(evaluateCrossEntropyVjp);
  rules.add<DropoutOp>(evaluateDropout, differentiateDropout);
  rules.add<AfterOp>(evaluateAfter, differentiateAfter);
}
