//===- Dropout.cpp - Dropout from one seed -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/dropout.h"
#include "Node.h"

using namespace xf;
using namespace xf::detail;

/// The newest DropoutSeed of this thread.
static thread_local DropoutSeed *innermost = nullptr;

DropoutSeed::DropoutSeed(const Tensor &seed, Here here) : seed(seed), outer(innermost) {
  expectDefined(seed, "a dropout seed", here);
  bool two = seed.rank() == 1 && seed.shape()[0].may_equal(Dim(2)) && seed.dtype() == i64;
  expect(two, here, "expected a dropout seed of 2 x i64, got ", seed.shape(), " of ", seed.dtype());
  innermost = this;
}

DropoutSeed::~DropoutSeed() { innermost = outer; }

// Masks are keyed by the low 32 bits of both numbers. The odd factors make each bijective in n.
Tensor DropoutSeed::next(Here here) {
  if (!innermost)
    return {};
  int64_t n = ++innermost->count;
  return innermost->seed + constant(std::vector<int64_t>{2654435769 * n, 2246822507 * n}, {2}, i64, here);
}

Tensor xf::dropout(const Tensor &x, double p, Here here) {
  expectFloat(x, "dropout", here);
  expect(p >= 0 && p <= 1, here, "expected a probability in [0, 1] in dropout, got ", p);
  Tensor seed = p > 0 ? DropoutSeed::next(here) : Tensor();
  return seed.defined() ? dropout(x, p, seed, here) : x;
}
