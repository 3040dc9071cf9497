//===- KeyWeights.h - How far a state has decayed, what it learns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clauses decay and beta of kernelised attention (docs/specification.md, section 3), for one query row at a time.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_ATTENTION_KEYWEIGHTS_H
#define XF_TEST_REFERENCE_ATTENTION_KEYWEIGHTS_H

#include "test/reference/Tensor.h"

namespace mlir::xf::reference {

/// For each key j of a query at `position`, the product of decay[t] over j < t <= position; 1 where decay is null. Keys
/// after the position have none.
std::vector<double> decayFactors(const double *decay, int64_t position);

/// Adds to the gradient of decay, given those of the factors.
void differentiateDecay(const double *decay, ArrayRef<double> dFactors, double *dDecay);

/// A key that the state takes in: phi(k), and v with a 1 after it, of which the state's last column is z.
struct StateKey {
  int64_t key;
  const std::vector<double> *features;
  std::vector<double> value;
};

/// The delta rule: S_t = S' + beta_t phi(k_t) (v_t - S'^T phi(k_t))^T, S' = a_t S_(t-1), over the positions up to a
/// query's; a key that the query does not see only decays. Keeps every state.
class DeltaRule {
public:
  /// `keys` in ascending order; `decay` may be null. All outlive this.
  DeltaRule(ArrayRef<StateKey> keys, const double *decay, const double *beta, int64_t position);

  /// S^T phi(q).
  std::vector<double> read(ArrayRef<double> query) const;

  struct Gradients {
    std::vector<double> query;
    std::vector<std::vector<double>> features, values; ///< by place in `keys`
  };
  /// The gradients of <cotangent, read(query)>; adds to those of decay, where there is one, and beta.
  Gradients differentiate(ArrayRef<double> query, ArrayRef<double> cotangent, double *dDecay, double *dBeta) const;

private:
  /// Rows by feature, columns by value.
  using State = std::vector<double>;
  struct Step {
    const StateKey *key = nullptr; ///< null where the query does not see it
    State before, decayed;
    std::vector<double> error; ///< v - S'^T phi
  };
  std::vector<double> readState(const State &state, ArrayRef<double> features) const;

  ArrayRef<StateKey> keys;
  const double *decay, *beta;
  int64_t columns = 0;
  std::vector<Step> steps; ///< by position
  State last;
};

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_ATTENTION_KEYWEIGHTS_H
