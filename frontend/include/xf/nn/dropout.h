//===- xf/nn/dropout.h - Dropout from one seed -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dropout. Its random numbers follow from a seed that the program takes as an input:
//
//   program.train_step("train", model, {ids, targets, {"seed", i64, {2}}}, [&](Tensor ids, Tensor y, Tensor seed) {
//     DropoutSeed draws(seed);                      // every dropout below draws from this seed, each one for itself
//     return cross_entropy(model(ids), y);
//   }, optimizer);
//   program.entry("logits", {ids}, model);          // no seed: no dropout
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_DROPOUT_H
#define XF_NN_DROPOUT_H

#include "xf/ops.h"

namespace xf {

/// Provides the seed, a tensor of 2 x i64, of all dropouts that are recorded while this object exists. Dropouts are
/// numbered from 1 in the order in which they are recorded. Dropout n draws from the seed (seed[0] + 2654435769 n,
/// seed[1] + 2246822507 n), so that dropouts are independent of each other (Srivastava 2014). Calls with the same seed
/// draw the same numbers. If several DropoutSeeds exist, the newest one is used.
class DropoutSeed {
public:
  /// Throws Error unless the seed has two i64.
  explicit DropoutSeed(const Tensor &seed, Here here = Here::current());
  ~DropoutSeed();
  DropoutSeed(const DropoutSeed &) = delete;
  DropoutSeed &operator=(const DropoutSeed &) = delete;

  /// Returns the seed of the next dropout, or an undefined tensor where no DropoutSeed exists.
  static Tensor next(Here here = Here::current());

private:
  Tensor seed;
  int64_t count = 0;
  DropoutSeed *outer;
};

/// Computes x / (1 - p) with probability 1 - p for each element, else 0, with a seed from the DropoutSeed. Returns x if
/// p is 0, or if no DropoutSeed exists, as in an entry that evaluates a model.
Tensor dropout(const Tensor &x, double p, Here here = Here::current());

} // namespace xf

#endif // XF_NN_DROPOUT_H
