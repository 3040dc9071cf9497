//===- Prefix.cpp - Causal attention after a prefix -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::prefix(int64_t length, Here here) {
  expectAtLeast(length, 0, "length", here);
  return makePattern(PrefixSet{length}, here);
}
Pattern xf::prefix(Here here) { return makePattern(PrefixSet{}, here); }

bool PrefixSet::has(const Pair &pair) const {
  expect(length.has_value(), pair.here, "expected a static pattern, got a prefix whose length is a symbol");
  return pair.j <= pair.i || pair.j < *length;
}

Properties PrefixSet::properties() const {
  return {.isCausal = false, .isOfPositions = true, .symbols = length ? size_t(0) : 1};
}
