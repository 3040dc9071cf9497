//===- Facts.h - Properties that the compiler proves -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_FACTS_H
#define XF_FRONTEND_TRANSLATE_FACTS_H

#include "../Graph/Patterns/PatternNode.h"

#include <string>

namespace xf::detail {

struct Fact {
  int64_t value = 0;
  /// Reason why the value is unknown; empty if it is known.
  std::string error;
};

/// Counts the pairs of one head over `tokens` queries and keys. Sets `error` of the result where the number is unknown.
Fact countPairs(const PatternNode &pattern, int64_t tokens, int64_t head);
/// Determines whether the compiler can prove that no query sees a later key, for all sizes and operands. The value of
/// the result is 1 if it can, else 0. For an invalid pattern, the result has an `error`.
Fact proveCausal(const PatternNode &pattern);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_FACTS_H
