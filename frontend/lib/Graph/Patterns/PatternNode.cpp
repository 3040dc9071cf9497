//===- PatternNode.cpp - Questions to patterns of any family -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternNode.h"
#include "../Checks.h"

using namespace xf;
using namespace xf::detail;

bool Pair::in(const PatternNode &pattern) const {
  return std::visit([&](const auto &set) { return set.has(*this); }, pattern.set);
}

Properties xf::detail::propertiesOf(const PatternNode &pattern) {
  return std::visit([](const auto &set) { return set.properties(); }, pattern.set);
}

bool xf::contains(const Pattern &pattern, int64_t head, int64_t i, int64_t j, int64_t keys, Here here) {
  expect(head >= 0, here, "expected a head >= 0, got ", head);
  return Pair{head, i, j, keys, here}.in(*pattern.node);
}
