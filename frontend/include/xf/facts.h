//===- xf/facts.h - What the compiler proves of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pairs(strided(128), 4096)       // 1159296, from the solution that kernels are made from
//   is_causal(window(256))          // true, for all sizes
//
//===----------------------------------------------------------------------===//

#ifndef XF_FACTS_H
#define XF_FACTS_H

#include "xf/pattern.h"

namespace xf {

/// The pairs of one head of one batch entry over `tokens` queries and keys (1 to 2^20): of head `head`, which
/// matters where heads() gives heads patterns of their own and where heads draw at random. Throws Error for patterns
/// that ask for operands (segments, tables, symbols), for what is no set, and where no formula counts the pairs and
/// they are too many to look at one by one.
int64_t pairs(const Pattern &pattern, int64_t tokens, int64_t head = 0, Here here = Here::current());

/// Whether the compiler proves that no query sees a later key, whatever the sizes and operands; of kernelised
/// attention, in the set that it sums over. Throws Error for a pattern that no attention takes.
bool is_causal(const Pattern &pattern, Here here = Here::current());

} // namespace xf

#endif // XF_FACTS_H
