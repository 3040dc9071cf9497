//===- Float.cpp - Floating-point formats and their rounding --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Float.h"

using namespace xf::ptx;

double xf::ptx::roundTo(double value, int precision, int minimum, double largest, Rounding rounding) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  int quantum = std::max(exponent - precision, minimum - (precision - 1));
  double scaled = std::ldexp(value, -quantum);
  switch (rounding) {
  case Rounding::Nearest:
    scaled = std::nearbyint(scaled);
    break;
  case Rounding::Zero:
    scaled = std::trunc(scaled);
    break;
  case Rounding::Down:
    scaled = std::floor(scaled);
    break;
  case Rounding::Up:
    scaled = std::ceil(scaled);
    break;
  case Rounding::Away:
    scaled = std::round(scaled);
    break;
  }
  double result = std::copysign(std::ldexp(scaled, quantum), value);
  if (std::fabs(result) <= largest)
    return result;
  bool staysFinite = rounding == Rounding::Zero || (rounding == Rounding::Down && value > 0) ||
                     (rounding == Rounding::Up && value < 0);
  return std::copysign(staysFinite ? largest : INFINITY, value);
}

double xf::ptx::addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double of = sum - a, error = (a - (sum - of)) + (b - of);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1))
    return sum;
  bool outwards = (error > 0) == (sum > 0);
  return std::bit_cast<double>(outwards ? bits + 1 : bits - 1);
}

float xf::ptx::roundToFloat(double value, Rounding rounding) {
  return static_cast<float>(roundTo(value, 24, -126, 0x1.fffffep127, rounding));
}

Half xf::ptx::roundToHalf(double value, Rounding rounding) {
  return toHalf(static_cast<float>(roundTo(value, 11, -14, 65504.0, rounding)));
}

BHalf xf::ptx::roundToBHalf(double value, Rounding rounding) {
  return toBHalf(static_cast<float>(roundTo(value, 8, -126, 0x1.fep127, rounding)));
}
