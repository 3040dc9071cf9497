//===- KernelizedAttention.cpp - Attention through feature maps -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/specification.md, section 3, written as the sum over pairs that it defines: y = N / (Z + guard), N = sum w v,
// Z = sum w, w = <phi(q), phi(k)> over the keys of the set. A stabiliser is the same for all keys of a sum; `running`
// takes the largest exponent among the keys that the row sees, which cancels in y because it asks for epsilon = guard =
// 0. Decay and relative are factors of w; with beta, N and Z are read from the delta rule's state.
//
//===----------------------------------------------------------------------===//

#include "test/reference/attention/Attention.h"
#include "test/reference/attention/FeatureMap.h"
#include "test/reference/attention/KeyWeights.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

using Row = FeatureMap::Row;

namespace {
/// A key that a row sees: its features, <phi(q), phi(k)>, and the factors of that in the weight.
struct WeightedKey {
  int64_t key;
  Row features;
  double product = 0, decay = 1, relative = 1;

  double weight() const { return decay * relative * product; }
};

/// One row of the sum.
struct KernelRow {
  int64_t b, h, position;
  Row queryProjection = {}, queryFeatures = {};
  double queryStabilizer = 0, keyStabilizer = 0;
  SmallVector<WeightedKey> keys = {};
  Row numerator = {};
  double denominator = 0;
};

/// Gradients that all rows of a sum add to.
struct KeyGradients {
  std::vector<Row> projections;                              ///< by row of k
  std::map<std::pair<int64_t, int64_t>, double> stabilizers; ///< by batch entry and head
};

class Kernel {
public:
  static FailureOr<Kernel> create(const AttentionCall &call);

  KernelRow row(int64_t b, int64_t h, int64_t i);

  /// y of a row whose set is not empty.
  Row normalize(const KernelRow &row) const;
  /// The cotangents of the numerator and, returned, of the denominator.
  double differentiateNormalizer(const KernelRow &row, const double *dy, Row &dNumerator) const;

  /// Adds to the gradients of q, k's projections, v and the weights of keys, given those of numerator and denominator.
  void differentiate(const KernelRow &row, int64_t queryRow, Row dNumerator, double dDenominator, KeyGradients &dKeys,
                     AttentionGradients &gradients) const;
  /// Adds the gradients of the keys' stabilisers to those of their projections.
  void differentiateStabilizers(KeyGradients &dKeys) const;

  const Row &keyProjection(int64_t row) const { return keyProjections[row]; }
  FeatureMap map;

private:
  Kernel(const AttentionCall &call, KernelizedPatternAttr pattern, PatternSet set, FeatureMap map, bool isCausal);
  /// The row of k, among the keys that some row of (b, h) sees, that has the largest exponent: the first one.
  int64_t largestKeyRow(int64_t b, int64_t h);
  /// Whether a factor that all features of a query, or of all keys, have changes no result.
  bool cancels() const;
  double stabilizerOfKeys(const KernelRow &row);
  void weigh(KernelRow &row) const;
  void sum(KernelRow &row) const;
  SmallVector<StateKey> stateKeys(const KernelRow &row) const;
  /// Both return the gradient of phi(q).
  Row differentiateSum(const KernelRow &row, const Row &dNumerator, double dDenominator, KeyGradients &dKeys,
                       AttentionGradients &gradients) const;
  Row differentiateDeltaRule(const KernelRow &row, Row dSums, KeyGradients &dKeys, AttentionGradients &gradients) const;

  /// The weights of keys of (b, h) in a clause or its gradient; null where there is none.
  template <typename T>
  auto weightsOf(T *tensor, const KernelRow &row) const {
    return tensor ? tensor->row(row.b * call.heads() + row.h) : nullptr;
  }

  const AttentionCall &call;
  PatternSet set;
  Stabilizer stabilizer;
  Normalizer normalizer;
  double guard;
  std::vector<Row> keyProjections; ///< by row of k
  std::map<std::pair<int64_t, int64_t>, int64_t> largestKeyRows;
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

Kernel::Kernel(const AttentionCall &call, KernelizedPatternAttr pattern, PatternSet set, FeatureMap featureMap,
               bool isCausal)
    : map(std::move(featureMap)), call(call), set(std::move(set)),
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
  bool isCausalSet = pattern.getOf() && isCausal(pattern.getOf());
  FailureOr<FeatureMap> map = FeatureMap::create(call, pattern, isCausalSet);
  if (failed(map))
    return failure();
  return Kernel(call, pattern, std::move(*set), std::move(*map), isCausalSet);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t Kernel::largestKeyRow(int64_t b, int64_t h) {
  auto [place, isNew] = largestKeyRows.try_emplace({b, h}, -1);
  if (!isNew)
    return place->second;
  int64_t &largest = place->second;
  for (int64_t j = 0; j < call.keys(); ++j) {
    bool isSeen = llvm::any_of(llvm::seq(call.queries()), [&](int64_t i) { return set.contains(b, h, i, j); });
    int64_t row = call.keyRow(b, h, j);
    if (isSeen && (largest < 0 || map.exceeds(map.largest(keyProjections[row]), map.largest(keyProjections[largest]))))
      largest = row;
  }
  return largest;
}

bool Kernel::cancels() const {
  return guard == 0 && !map.hasEpsilon() && (normalizer == Normalizer::k_sum || normalizer == Normalizer::k_norm);
}

double Kernel::stabilizerOfKeys(const KernelRow &row) {
  if (!map.isExponential() || stabilizer == Stabilizer::k_none || stabilizer == Stabilizer::k_row)
    return 0;
  if (row.keys.empty())
    return 0;
  if (stabilizer == Stabilizer::k_sequence)
    return map.largest(keyProjections[largestKeyRow(row.b, row.h)]);
  double largest = -INFINITY;
  for (const WeightedKey &key : row.keys)
    largest = std::max(largest, map.largest(keyProjections[call.keyRow(row.b, row.h, key.key)]));
  return largest;
}

/// The features of the row's keys and the factors of their weights.
void Kernel::weigh(KernelRow &row) const {
  std::vector<double> decays = decayFactors(weightsOf(call.decay, row), row.position);
  for (WeightedKey &key : row.keys) {
    key.features = map.features(keyProjections[call.keyRow(row.b, row.h, key.key)], row.keyStabilizer);
    key.product = dot(row.queryFeatures.data(), key.features.data(), key.features.size());
    if (call.decay)
      key.decay = decays[key.key];
    if (call.relative)
      key.relative = std::exp(call.relative->row(row.h)[key.key - row.position + call.keys() - 1]);
  }
}

SmallVector<StateKey> Kernel::stateKeys(const KernelRow &row) const {
  return llvm::map_to_vector(row.keys, [&](const WeightedKey &key) {
    const double *v = call.v->row(call.valueRow(row.b, row.h, key.key));
    StateKey state{key.key, &key.features, Row(v, v + call.valueDepth())};
    state.value.push_back(1);
    return state;
  });
}

void Kernel::sum(KernelRow &row) const {
  row.numerator.resize(call.valueDepth());
  if (call.beta && !row.keys.empty()) {
    SmallVector<StateKey> keys = stateKeys(row);
    DeltaRule rule(keys, weightsOf(call.decay, row), weightsOf(call.beta, row), row.position);
    row.numerator = rule.read(row.queryFeatures);
    row.denominator = row.numerator.back();
    row.numerator.pop_back();
    return;
  }
  for (WeightedKey &key : row.keys) {
    row.denominator += key.weight();
    addScaled(row.numerator.data(), key.weight(), call.v->row(call.valueRow(row.b, row.h, key.key)), call.valueDepth());
  }
}

KernelRow Kernel::row(int64_t b, int64_t h, int64_t i) {
  KernelRow row{b, h, i + call.firstPosition};
  row.queryProjection = map.project(call.q->row(call.queryRow(b, h, i)));
  if (stabilizer != Stabilizer::k_none && map.isExponential())
    row.queryStabilizer = map.largest(row.queryProjection);
  row.queryFeatures = map.features(row.queryProjection, row.queryStabilizer);
  for (int64_t j = 0; j < call.keys(); ++j)
    if (set.contains(b, h, i, j))
      row.keys.push_back({j, {}});
  row.keyStabilizer = stabilizerOfKeys(row);
  weigh(row);
  sum(row);
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

/// d_w = <d_N, v> + d_Z; d_v += w d_N; with w = f <phi(q), phi(k)>: d_phi(q) += f d_w phi(k); d_phi(k) += f d_w phi(q);
/// d_t += w d_w of a factor e^t.
Row Kernel::differentiateSum(const KernelRow &row, const Row &dNumerator, double dDenominator, KeyGradients &dKeys,
                             AttentionGradients &gradients) const {
  Row dQuery(row.queryFeatures.size()), dDecays(std::max<int64_t>(row.position + 1, 0));
  for (const WeightedKey &key : row.keys) {
    int64_t keyRow = call.keyRow(row.b, row.h, key.key), valueRow = call.valueRow(row.b, row.h, key.key);
    double dWeight = dot(dNumerator.data(), call.v->row(valueRow), call.valueDepth()) + dDenominator;
    addScaled(gradients.v.row(valueRow), key.weight(), dNumerator.data(), call.valueDepth());
    if (call.decay)
      dDecays[key.key] = dWeight * key.relative * key.product;
    if (call.relative)
      gradients.relative->row(row.h)[key.key - row.position + call.keys() - 1] += dWeight * key.weight();
    double dProduct = dWeight * key.decay * key.relative;
    addScaled(dQuery.data(), dProduct, key.features.data(), key.features.size());
    Row dKeyFeatures = row.queryFeatures;
    for (double &element : dKeyFeatures)
      element *= dProduct;
    dKeys.stabilizers[{row.b, row.h}] +=
        map.differentiateFeatures(keyProjections[keyRow], row.keyStabilizer, dKeyFeatures, dKeys.projections[keyRow]);
  }
  if (call.decay)
    differentiateDecay(weightsOf(call.decay, row), dDecays, weightsOf(&*gradients.decay, row));
  return dQuery;
}

Row Kernel::differentiateDeltaRule(const KernelRow &row, Row dSums, KeyGradients &dKeys,
                                   AttentionGradients &gradients) const {
  SmallVector<StateKey> keys = stateKeys(row);
  DeltaRule rule(keys, weightsOf(call.decay, row), weightsOf(call.beta, row), row.position);
  DeltaRule::Gradients ofState =
      rule.differentiate(row.queryFeatures, dSums, weightsOf(call.decay ? &*gradients.decay : nullptr, row),
                         weightsOf(&*gradients.beta, row));
  for (auto [number, key] : llvm::enumerate(row.keys)) {
    int64_t keyRow = call.keyRow(row.b, row.h, key.key);
    addScaled(gradients.v.row(call.valueRow(row.b, row.h, key.key)), 1, ofState.values[number].data(),
              call.valueDepth());
    map.differentiateFeatures(keyProjections[keyRow], row.keyStabilizer, ofState.features[number],
                              dKeys.projections[keyRow]);
  }
  return ofState.query;
}

void Kernel::differentiate(const KernelRow &row, int64_t queryRow, Row dNumerator, double dDenominator,
                           KeyGradients &dKeys, AttentionGradients &gradients) const {
  Row dQuery(row.queryProjection.size()), dFeatures;
  if (call.beta) {
    dNumerator.push_back(dDenominator);
    dFeatures = differentiateDeltaRule(row, std::move(dNumerator), dKeys, gradients);
  } else {
    dFeatures = differentiateSum(row, dNumerator, dDenominator, dKeys, gradients);
  }
  double dStabilizer = map.differentiateFeatures(row.queryProjection, row.queryStabilizer, dFeatures, dQuery);
  if (map.isExponential() && stabilizer != Stabilizer::k_none && !cancels())
    map.differentiateLargest(row.queryProjection, dStabilizer, dQuery);
  map.differentiateProjection(call.q->row(queryRow), dQuery, gradients.q.row(queryRow), gradients);
}

void Kernel::differentiateStabilizers(KeyGradients &dKeys) const {
  if (!map.isExponential() || stabilizer != Stabilizer::k_sequence || cancels())
    return;
  for (auto [head, dStabilizer] : dKeys.stabilizers) {
    int64_t row = largestKeyRows.at(head);
    map.differentiateLargest(keyProjections[row], dStabilizer, dKeys.projections[row]);
  }
}

FailureOr<AttentionGradients> reference::differentiateKernelized(const AttentionCall &call, const AttentionValue &,
                                                                 const AttentionValue &cotangent) {
  FailureOr<Kernel> kernel = Kernel::create(call);
  if (failed(kernel))
    return failure();
  AttentionGradients gradients(call);
  KeyGradients dKeys{std::vector<Row>(call.k->rows()), {}};
  std::vector<bool> isSeen(call.k->rows(), false); // other keys are not looked at
  for (auto [number, dKey] : llvm::enumerate(dKeys.projections))
    dKey.resize(kernel->keyProjection(number).size());
  (void)forEachQuery(call, [&](int64_t b, int64_t h, int64_t i) {
    int64_t queryRow = call.queryRow(b, h, i);
    KernelRow row = kernel->row(b, h, i);
    if (row.keys.empty())
      return success();
    for (const WeightedKey &key : row.keys)
      isSeen[call.keyRow(b, h, key.key)] = true;
    Row dNumerator;
    double dDenominator = kernel->differentiateNormalizer(row, cotangent.o.row(queryRow), dNumerator);
    kernel->differentiate(row, queryRow, std::move(dNumerator), dDenominator, dKeys, gradients);
    return success();
  });
  kernel->differentiateStabilizers(dKeys);
  for (auto [number, dKey] : llvm::enumerate(dKeys.projections))
    if (isSeen[number])
      kernel->map.differentiateProjection(call.k->row(number), dKey, gradients.k.row(number), gradients);
  return gradients;
}
