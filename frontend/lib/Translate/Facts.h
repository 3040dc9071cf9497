//===- Facts.h - What the compiler proves of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_FACTS_H
#define XF_FRONTEND_TRANSLATE_FACTS_H

#include "../Graph/PatternNode.h"

#include <string>

namespace xf::detail {

struct Fact {
  int64_t value = 0;
  /// Why it is not known; empty otherwise.
  std::string error;
};

Fact countPairs(const PatternNode &pattern, int64_t tokens, int64_t head);
/// 1 or 0.
Fact proveCausal(const PatternNode &pattern);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_FACTS_H
