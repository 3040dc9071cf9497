//===- Float.h - Floating-point formats and their rounding ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_FLOAT_H
#define XF_TEST_PTX_EXECUTION_FLOAT_H

#include <bit>
#include <cmath>
#include <stdint.h>

namespace xf::ptx {

/// The nearest value with ties to even, towards zero, down, up, and the nearest with ties away from zero.
enum class Rounding : uint8_t { Nearest, Zero, Down, Up, Away };

struct Half {
  uint16_t bits;
};
struct BHalf {
  uint16_t bits;
};

inline float toFloat(float value) { return value; }
inline float toFloat(BHalf value) { return std::bit_cast<float>(uint32_t(value.bits) << 16); }
inline float toFloat(Half value) { return static_cast<float>(std::bit_cast<_Float16>(value.bits)); }

inline float flushed(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7f800000) ? bits : bits & 0x80000000);
}

/// NaNs that instructions on f32 make.
inline float canonical(float value) { return value != value ? std::bit_cast<float>(0x7fffffffu) : value; }

/// `value` in a format of `precision` bits whose smallest normal number is 2^minimum and whose largest is `largest`.
double roundTo(double value, int precision, int minimum, double largest, Rounding rounding);

/// `a + b` with a last bit that tells that the sum was rounded, so that it may be rounded again to a shorter format.
double addToOdd(double a, double b);

float roundToFloat(double value, Rounding rounding);
Half roundToHalf(double value, Rounding rounding = Rounding::Nearest);
BHalf roundToBHalf(double value, Rounding rounding);

inline BHalf toBHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return {static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded)};
}
inline Half toHalf(float value) {
  return {static_cast<uint16_t>(value != value ? 0x7fff : std::bit_cast<uint16_t>(static_cast<_Float16>(value)))};
}

/// 2^value to the last bit of f32, but for one in 2^27 or so.
inline float exp2OfFloat(float value) {
  double clamped = value < -200.0f ? -200.0 : value > 200.0f ? 200.0 : value;
  double whole = std::nearbyint(clamped), rest = clamped - whole;
  // The exponential series of rest * ln 2.
  double x = rest * 0.69314718055994530942, sum = 1.0 / 6227020800.0;
  constexpr double terms[] = {1.0 / 479001600.0,
                              1.0 / 39916800.0,
                              1.0 / 3628800.0,
                              1.0 / 362880.0,
                              1.0 / 40320.0,
                              1.0 / 5040.0,
                              1.0 / 720.0,
                              1.0 / 120.0,
                              1.0 / 24.0,
                              1.0 / 6.0,
                              0.5,
                              1.0,
                              1.0};
  for (double term : terms)
    sum = sum * x + term;
  double scale =
      std::bit_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(whole == whole ? whole : 0) + 1023) << 52);
  float result = static_cast<float>(sum * scale);
  return value != value ? value : result;
}

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_FLOAT_H
