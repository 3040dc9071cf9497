//===- Integers.h - Divisions and sums of plans -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_INTEGERS_H
#define XFRT_LIB_PLAN_INTEGERS_H

#include <cstdint>
#include <limits>
#include <numeric>

namespace xfrt::plan {

/// Rounds to minus infinity; `divisor` is positive.
inline int64_t floorDivide(int64_t x, int64_t divisor) { return x / divisor - (x % divisor < 0 ? 1 : 0); }

/// Rounds to infinity; `divisor` is positive.
inline int64_t ceilDivide(int64_t x, int64_t divisor) { return -floorDivide(-x, divisor); }

/// The remainder of floorDivide, in [0, divisor).
inline int64_t floorRemainder(int64_t x, int64_t divisor) {
  int64_t remainder = x % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

/// A product of numbers that are not negative; the largest integer where it is larger.
inline int64_t multiplySaturated(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

/// A sum of numbers that are not negative; the largest integer where it is larger.
inline int64_t addSaturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_INTEGERS_H
