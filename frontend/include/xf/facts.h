//===- xf/facts.h - Properties that the compiler proves -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about patterns that the compiler computes, for the user's program:
//
//   pairs(strided(128), 4096)       // 1159296, from the solution that kernels are made from
//   is_causal(window(256))          // true, for all sizes
//
//===----------------------------------------------------------------------===//

#ifndef XF_FACTS_H
#define XF_FACTS_H

#include "xf/pattern.h"

namespace xf {

/// Returns the number of pairs that the pattern has in one head of one batch entry, for `tokens` queries and as many
/// keys (1 to 2^20). The number depends on `head` where heads() gives the heads different patterns or where each head
/// draws its keys at random. Throws Error for patterns that need operands (segments, tables, symbols) and for patterns
/// that are not sets of pairs. Also throws Error where no formula counts the pairs and they are too many to enumerate.
int64_t pairs(const Pattern &pattern, int64_t tokens, int64_t head = 0, Here here = Here::current());

/// Returns true if the compiler proves that no query sees a later key, for all sizes and all values of operands.
/// Kernelised attention is judged by the set of pairs that it sums over. Throws Error for an invalid pattern.
bool is_causal(const Pattern &pattern, Here here = Here::current());

} // namespace xf

#endif // XF_FACTS_H
