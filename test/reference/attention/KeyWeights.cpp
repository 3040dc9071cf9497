//===- KeyWeights.cpp - How far a state has decayed, what it learns -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/attention/KeyWeights.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

//===----------------------------------------------------------------------===//
// Decay
//===----------------------------------------------------------------------===//

std::vector<double> reference::decayFactors(const double *decay, int64_t position) {
  std::vector<double> factors(std::max<int64_t>(position + 1, 0), 1);
  for (int64_t j = position - 1; decay && j >= 0; --j)
    factors[j] = factors[j + 1] * decay[j + 1];
  return factors;
}

/// d a_t = sum over j < t of d_factor_j times the product of the other factors, without a division by a_t.
void reference::differentiateDecay(const double *decay, ArrayRef<double> dFactors, double *dDecay) {
  std::vector<double> after = decayFactors(decay, int64_t(dFactors.size()) - 1);
  double before = 0; // the sum of d_factor_j times the product over j < s < t
  for (size_t t = 1; t < dFactors.size(); ++t) {
    before = before * (t > 1 ? decay[t - 1] : 0) + dFactors[t - 1];
    dDecay[t] += before * after[t];
  }
}

//===----------------------------------------------------------------------===//
// Delta rule
//===----------------------------------------------------------------------===//

DeltaRule::DeltaRule(ArrayRef<StateKey> keys, const double *decay, const double *beta, int64_t position)
    : keys(keys), decay(decay), beta(beta), columns(keys.front().value.size()),
      last(keys.front().features->size() * columns) {
  const StateKey *next = keys.begin();
  for (int64_t t = 0; t <= position; ++t) {
    Step &step = steps.emplace_back();
    step.before = last;
    for (double &element : last)
      element *= decay ? decay[t] : 1;
    step.decayed = last;
    if (next == keys.end() || next->key != t)
      continue;
    step.key = next++;
    step.error = readState(last, *step.key->features);
    for (auto [error, value] : llvm::zip(step.error, step.key->value))
      error = value - error;
    for (auto [m, feature] : llvm::enumerate(*step.key->features))
      addScaled(&last[m * columns], beta[t] * feature, step.error.data(), columns);
  }
}

std::vector<double> DeltaRule::readState(const State &state, ArrayRef<double> features) const {
  std::vector<double> sums(columns);
  for (auto [m, feature] : llvm::enumerate(features))
    addScaled(sums.data(), feature, &state[m * columns], columns);
  return sums;
}

std::vector<double> DeltaRule::read(ArrayRef<double> query) const { return readState(last, query); }

/// With e = v - S'^T phi: d_beta = <dS^T phi, e>; d_e = beta dS^T phi; d_phi = beta dS e - S' d_e; d_v = d_e;
/// dS' = dS - phi d_e^T; d_a = <dS', S>.
DeltaRule::Gradients DeltaRule::differentiate(ArrayRef<double> query, ArrayRef<double> cotangent, double *dDecay,
                                              double *dBeta) const {
  int64_t count = query.size();
  Gradients gradients{std::vector<double>(count), std::vector<std::vector<double>>(keys.size()),
                      std::vector<std::vector<double>>(keys.size())};
  State dState(last.size());
  for (int64_t m = 0; m < count; ++m) {
    gradients.query[m] = dot(&last[m * columns], cotangent.data(), columns);
    addScaled(&dState[m * columns], query[m], cotangent.data(), columns);
  }
  for (int64_t t = int64_t(steps.size()) - 1; t >= 0; --t) {
    const Step &step = steps[t];
    if (step.key) {
      std::vector<double> written = readState(dState, *step.key->features), dError = written;
      dBeta[t] += dot(written.data(), step.error.data(), columns);
      for (double &element : dError)
        element *= beta[t];
      std::vector<double> &dFeatures = gradients.features[step.key - keys.begin()];
      for (int64_t m = 0; m < count; ++m) {
        dFeatures.push_back(beta[t] * dot(&dState[m * columns], step.error.data(), columns) -
                            dot(&step.decayed[m * columns], dError.data(), columns));
        addScaled(&dState[m * columns], -(*step.key->features)[m], dError.data(), columns);
      }
      gradients.values[step.key - keys.begin()] = std::move(dError);
    }
    if (!decay)
      continue;
    dDecay[t] += dot(dState.data(), step.before.data(), dState.size());
    for (double &element : dState)
      element *= decay[t];
  }
  return gradients;
}
