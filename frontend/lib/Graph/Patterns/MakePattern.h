//===- MakePattern.h - What the families of patterns share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PATTERNS_MAKEPATTERN_H
#define XF_FRONTEND_GRAPH_PATTERNS_MAKEPATTERN_H

#include "../Node.h"

namespace xf::detail {

/// Makes a pattern from its set. `Of` is Pattern or a class derived from it, such as StridedPattern.
template <typename Of = Pattern, typename Set>
Of makePattern(Set set, Here here) {
  return Of(std::make_shared<const PatternNode>(PatternNode{here, std::move(set)}));
}

inline void expectAtLeast(int64_t value, int64_t minimum, const char *what, Here here) {
  expect(value >= minimum, here, "expected ", what, " >= ", minimum, ", got ", value);
}

/// Throws Error for a pattern whose pairs are unknown before a call (segments, tables, symbols), or which is not a set
/// of pairs.
[[noreturn]] inline void refuseMembership(const Pair &pair) {
  throw Error("expected a static pattern, got one with run-time parts, or one that is no set", pair.here);
}

/// Compute the quotient of a / b, rounded down, and the remainder, which is in [0, b). Require b > 0.
inline int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }
inline int64_t floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_MAKEPATTERN_H
