//===- Rounding.h - Sixteen-bit floating point -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts double to 16-bit floating-point types with a single rounding. A conversion by way of float rounds twice.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_ROUNDING_H
#define XFRT_TOOLS_ROUNDING_H

#include <bit>
#include <stdint.h>

namespace xfrt::tools {

/// A 16-bit floating-point format of one sign bit, ExponentBits and MantissaBits.
template <int ExponentBits, int MantissaBits>
struct Format16 {
  static_assert(1 + ExponentBits + MantissaBits == 16);
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr uint64_t infinity = ((uint64_t(1) << ExponentBits) - 1) << MantissaBits;

  /// Converts from double: rounds to nearest, ties to even. Overflow gives infinity, NaN gives NaN.
  static uint16_t round(double value) {
    uint64_t bits = std::bit_cast<uint64_t>(value), sign = bits >> 63 << 15;
    int exponent = int(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
    if (exponent == 0x7ff) {
      uint64_t payload = fraction >> (52 - MantissaBits) | uint64_t(1) << (MantissaBits - 1);
      return uint16_t(sign | infinity | (fraction ? payload : 0));
    }
    int target = exponent - 1023 + bias; // below 1: subnormal there
    int shift = 52 - MantissaBits + (target < 1 ? 1 - target : 0);
    if (exponent == 0 || shift > 54)
      return uint16_t(sign);
    uint64_t mantissa = fraction | uint64_t(1) << 52, half = uint64_t(1) << (shift - 1);
    uint64_t rest = mantissa & (2 * half - 1), kept = mantissa >> shift;
    kept += rest > half || (rest == half && (kept & 1));
    // The leading one of `kept` carries into the exponent, and so does rounding up.
    uint64_t magnitude = kept + (target < 1 ? 0 : uint64_t(target - 1) << MantissaBits);
    return uint16_t(sign | (magnitude < infinity ? magnitude : infinity));
  }

  /// Converts to double, exactly.
  static double widen(uint16_t bits) {
    uint64_t sign = uint64_t(bits >> 15) << 63, magnitude = bits & 0x7fff;
    uint64_t fraction = magnitude & ((uint64_t(1) << MantissaBits) - 1);
    int exponent = int(magnitude >> MantissaBits);
    if (magnitude >= infinity)
      return std::bit_cast<double>(sign | uint64_t(0x7ff) << 52 | fraction << (52 - MantissaBits));
    if (exponent == 0) { // fraction * 2^(1 - bias - MantissaBits), exact
      double unit = std::bit_cast<double>(uint64_t(1023 + 1 - bias - MantissaBits) << 52);
      return std::bit_cast<double>(sign | std::bit_cast<uint64_t>(double(fraction) * unit));
    }
    return std::bit_cast<double>(sign | uint64_t(exponent - bias + 1023) << 52 | fraction << (52 - MantissaBits));
  }
};

using Float16 = Format16<5, 10>;
using BFloat16 = Format16<8, 7>;

} // namespace xfrt::tools

#endif // XFRT_TOOLS_ROUNDING_H
