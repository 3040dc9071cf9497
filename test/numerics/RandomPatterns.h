//===- RandomPatterns.h - Random pattern expressions ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NUMERICS_RANDOMPATTERNS_H
#define XF_TEST_NUMERICS_RANDOMPATTERNS_H

#include "test/numerics/AttentionCases.h"

namespace xftest {

/// A random pattern over all families of sets, for sizes that are known when it is compiled.
struct RandomPattern {
  std::string text;
  bool usesSegments = false, usesTable = false;
};

/// Set algebra, blocks, lifts and permutations nest up to `depth` deep.
RandomPattern randomPattern(const Sizes &sizes, unsigned depth, Random &random);

} // namespace xftest

#endif // XF_TEST_NUMERICS_RANDOMPATTERNS_H
