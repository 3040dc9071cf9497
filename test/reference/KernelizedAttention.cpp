//===- KernelizedAttention.cpp - Attention through feature maps -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spec section 3, written as the sum over pairs that it defines: y = N / (Z + guard), N = sum w v, Z = sum w,
// w = <phi(q), phi(k)> over the keys of the set. A stabiliser is a constant for the gradient and the same for all keys
// of a sum; `running` takes the largest exponent among the keys that the row sees, which cancels in y because it asks
// for epsilon = guard = 0.
//
//===----------------------------------------------------------------------===//

#include "test/reference/Attention.h"
#include "test/reference/FeatureMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

using Row = FeatureMap::Row;

namespace {
/// A key that a row sees: its features, and its weight <phi(q), phi(k)>.
struct WeightedKey {
  int64_t key;
  Row features;
  double weight;
};

/// One row of the sum.
struct KernelRow {
  Row queryProjection, queryFeatures;
  double queryStabilizer = 0, keyStabilizer = 0;
  SmallVector<WeightedKey> keys;
  Row numerator;
  double denominator = 0;
};

class Kernel {
public:
  static FailureOr<Kernel> create(const AttentionCall &call);

  KernelRow row(int64_t b, int64_t h, int64_t i);

  /// y of a row whose set is not empty.
  Row normalize(const KernelRow &row) const;
  /// The cotangents of the numerator and, returned, of the denominator.
  double differentiateNormalizer(const KernelRow &row, const double *dy, Row &dNumerator) const;

  const Row &keyProjection(int64_t row) const { return keyProjections[row]; }
  FeatureMap map;

private:
  Kernel(const AttentionCall &call, KernelizedPatternAttr pattern, PatternSet set, bool isCausal);
  /// The largest exponent among the keys that some row of (b, h) sees.
  double sequenceStabilizer(int64_t b, int64_t h);

  const AttentionCall &call;
  PatternSet set;
  Stabilizer stabilizer;
  Normalizer normalizer;
  double guard;
  std::vector<Row> keyProjections; ///< by row of k
  std::map<std::pair<int64_t, int64_t>, double> sequenceStabilizers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static Stabilizer defaultStabilizer(const FeatureMap &map, bool isCausal) {
  if (!map.isExponential())
    return Stabilizer::k_none;
  return isCausal ? Stabilizer::k_running : Stabilizer::k_sequence;
}

Kernel::Kernel(const AttentionCall &call, KernelizedPatternAttr pattern, PatternSet set, bool isCausal)
    : map(pattern, call.params.empty() ? nullptr : call.params[0], call.depth(), isCausal), call(call),
      set(std::move(set)),
      stabilizer(pattern.getStabilizer() ? *pattern.getStabilizer() : defaultStabilizer(map, isCausal)),
      normalizer(pattern.getNormalizer()) {
  guard = pattern.getGuard() ? pattern.getGuard().getValueAsDouble() : stabilizer == Stabilizer::k_running ? 0 : 1e-6;
  for (int64_t n = 0; n < call.k->rows(); ++n)
    keyProjections.push_back(map.project(call.k->row(n)));
}

FailureOr<Kernel> Kernel::create(const AttentionCall &call) {
  auto pattern = cast<KernelizedPatternAttr>(call.pattern);
  FailureOr<PatternSet> set = PatternSet::create(call.op, pattern.getOf(), call.clauses, call.queries(), call.keys());
  if (failed(set))
    return failure();
  if (call.dropout != 0 || call.score)
    return call.op->emitError("expected kernelised attention without dropout and score region");
  if (call.op->getNumResults() > 1 && isa<AttentionOp>(call.op))
    return call.op->emitError("expected kernelised attention without an lse result");
  if (call.params.size() > 1)
    return call.op->emitError("expected at most one parameter of a feature map, got ") << call.params.size();
  for (const Tensor *weights : call.params)
    if (weights->rank() != 2 || weights->shape[0] < 1 || weights->shape[1] != call.depth())
      return call.op->emitError("expected a feature projection with ")
             << call.depth() << " columns, got shape [" << weights->shape << "]";
  return Kernel(call, pattern, std::move(*set), pattern.getOf() && isCausal(pattern.getOf()));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

double Kernel::sequenceStabilizer(int64_t b, int64_t h) {
  auto [place, isNew] = sequenceStabilizers.try_emplace({b, h}, -INFINITY);
  if (!isNew)
    return place->second;
  for (int64_t j = 0; j < call.keys(); ++j) {
    bool isSeen = llvm::any_of(llvm::seq(call.queries()), [&](int64_t i) { return set.contains(b, h, i, j); });
    if (isSeen)
      place->second = std::max(place->second, map.largest(keyProjections[call.keyRow(b, h, j)]));
  }
  return place->second;
}

KernelRow Kernel::row(int64_t b, int64_t h, int64_t i) {
  KernelRow row;
  row.queryProjection = map.project(call.q->row(call.queryRow(b, h, i)));
  if (stabilizer != Stabilizer::k_none && map.isExponential())
    row.queryStabilizer = map.largest(row.queryProjection);
  row.queryFeatures = map.features(row.queryProjection, row.queryStabilizer);
  for (int64_t j = 0; j < call.keys(); ++j)
    if (set.contains(b, h, i, j))
      row.keys.push_back({j, {}, 0});
  if (stabilizer == Stabilizer::k_sequence && map.isExponential())
    row.keyStabilizer = sequenceStabilizer(b, h);
  if (stabilizer == Stabilizer::k_running && map.isExponential()) {
    row.keyStabilizer = -INFINITY;
    for (const WeightedKey &key : row.keys)
      row.keyStabilizer = std::max(row.keyStabilizer, map.largest(keyProjections[call.keyRow(b, h, key.key)]));
  }
  row.numerator.resize(call.valueDepth());
  for (WeightedKey &key : row.keys) {
    key.features = map.features(keyProjections[call.keyRow(b, h, key.key)], row.keyStabilizer);
    key.weight = dot(row.queryFeatures.data(), key.features.data(), key.features.size());
    row.denominator += key.weight;
    addScaled(row.numerator.data(), key.weight, call.v->row(call.valueRow(b, h, key.key)), call.valueDepth());
  }
  return row;
}

//===----------------------------------------------------------------------===//
// Normaliser
//===----------------------------------------------------------------------===//

static double rootMeanSquare(const Row &x, double guard) {
  return std::sqrt(dot(x.data(), x.data(), x.size()) / x.size() + guard);
}

Row Kernel::normalize(const KernelRow &row) const {
  double divisor = 1;
  if (normalizer == Normalizer::k_sum)
    divisor = row.denominator + guard;
  if (normalizer == Normalizer::k_count)
    divisor = row.keys.size();
  if (normalizer == Normalizer::k_norm)
    divisor = rootMeanSquare(row.numerator, guard);
  Row y = row.numerator;
  for (double &element : y)
    element /= divisor;
  return y;
}

double Kernel::differentiateNormalizer(const KernelRow &row, const double *dy, Row &dNumerator) const {
  Row y = normalize(row);
  double product = dot(dy, y.data(), y.size());
  dNumerator.assign(dy, dy + y.size());
  double divisor = 1, dDenominator = 0;
  if (normalizer == Normalizer::k_sum) {
    divisor = row.denominator + guard;
    dDenominator = -product / divisor;
  }
  if (normalizer == Normalizer::k_count)
    divisor = row.keys.size();
  if (normalizer == Normalizer::k_norm) {
    divisor = rootMeanSquare(row.numerator, guard);
    addScaled(dNumerator.data(), -product / y.size(), y.data(), y.size());
  }
  for (double &element : dNumerator)
    element /= divisor;
  return dDenominator;
}

//===----------------------------------------------------------------------===//
// Value and gradient
//===----------------------------------------------------------------------===//

FailureOr<AttentionValue> reference::evaluateKernelized(const AttentionCall &call) {
  FailureOr<Kernel> kernel = Kernel::create(call);
  if (failed(kernel))
    return failure();
  AttentionValue value{
      Tensor::zeros(call.q->elementType, {call.batches(), call.heads(), call.queries(), call.valueDepth()}),
      Tensor::zeros(call.q->elementType, {call.batches(), call.heads(), call.queries()})};
  (void)forEachQuery(call, [&](int64_t b, int64_t h, int64_t i) {
    KernelRow row = kernel->row(b, h, i);
    if (!row.keys.empty())
      llvm::copy(kernel->normalize(row), value.o.row(call.queryRow(b, h, i)));
    return success();
  });
  return value;
}

/// d_w = <d_N, v> + d_Z; d_v += w d_N; d_phi(q) += d_w phi(k); d_phi(k) += d_w phi(q).
FailureOr<AttentionGradients> reference::differentiateKernelized(const AttentionCall &call, const AttentionValue &,
                                                                 const AttentionValue &cotangent) {
  FailureOr<Kernel> kernel = Kernel::create(call);
  if (failed(kernel))
    return failure();
  AttentionGradients gradients(call);
  Tensor *dWeights = gradients.params.empty() ? nullptr : &gradients.params[0];
  std::vector<Row> dKeys(call.k->rows());
  for (auto [number, dKey] : llvm::enumerate(dKeys))
    dKey.resize(kernel->keyProjection(number).size());
  (void)forEachQuery(call, [&](int64_t b, int64_t h, int64_t i) {
    int64_t queryRow = call.queryRow(b, h, i);
    KernelRow row = kernel->row(b, h, i);
    Row dNumerator, dFeatures(row.queryFeatures.size()), dQuery(row.queryProjection.size());
    if (row.keys.empty())
      return success();
    double dDenominator = kernel->differentiateNormalizer(row, cotangent.o.row(queryRow), dNumerator);
    for (const WeightedKey &key : row.keys) {
      int64_t keyRow = call.keyRow(b, h, key.key), valueRow = call.valueRow(b, h, key.key);
      double dWeight = dot(dNumerator.data(), call.v->row(valueRow), call.valueDepth()) + dDenominator;
      addScaled(gradients.v.row(valueRow), key.weight, dNumerator.data(), call.valueDepth());
      addScaled(dFeatures.data(), dWeight, key.features.data(), key.features.size());
      Row dKeyFeatures = row.queryFeatures;
      for (double &element : dKeyFeatures)
        element *= dWeight;
      kernel->map.differentiateFeatures(kernel->keyProjection(keyRow), row.keyStabilizer, dKeyFeatures, dKeys[keyRow]);
    }
    kernel->map.differentiateFeatures(row.queryProjection, row.queryStabilizer, dFeatures, dQuery);
    kernel->map.differentiateProjection(call.q->row(queryRow), dQuery, gradients.q.row(queryRow), dWeights);
    return success();
  });
  for (auto [number, dKey] : llvm::enumerate(dKeys))
    kernel->map.differentiateProjection(call.k->row(number), dKey, gradients.k.row(number), dWeights);
  return gradients;
}
