//===- PatternFamilies.h - All patterns with small parameters ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_PATTERNFAMILIES_H
#define XF_TEST_COMPILER_PATTERN_PATTERNFAMILIES_H

#include "PatternCheck.h"

namespace xftest {

using Numbers = std::vector<int64_t>;

/// Patterns of one row of the table in section 2 of docs/specification.md, or of one way to combine them.
struct PatternFamily {
  std::string name;
  std::vector<PatternCase> cases;

  void add(const std::string &text, int64_t numKeys = 0) { cases.push_back({text, numKeys}); }
};

/// Every parameter that may matter at sizes up to 12: below, at and past them. `wide`, more of them.
std::vector<PatternFamily> setFamilies(bool wide);
/// Those whose keys are the tokens of a grid.
std::vector<PatternFamily> gridFamilies(bool wide);
/// Patterns over patterns, and two in each way of set algebra.
std::vector<PatternFamily> composedFamilies(bool wide);

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_PATTERNFAMILIES_H
