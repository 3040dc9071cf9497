//===- Normal.h - Uniform and normal numbers from random words -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_MODULES_NORMAL_H
#define XF_FRONTEND_GRAPH_MODULES_NORMAL_H

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace xf::detail {

/// Returns two uniform random numbers in (0, 1), with 53 bits each.
inline std::pair<double, double> uniformPair(const std::array<uint32_t, 4> &words) {
  auto unit = [](uint32_t high, uint32_t low) {
    uint64_t bits = (uint64_t{high} << 32 | low) >> 12;
    return (static_cast<double>(bits) + 0.5) * 0x1p-52;
  };
  return {unit(words[0], words[1]), unit(words[2], words[3])};
}

/// Returns two standard normal random numbers by the Box-Muller transform.
inline std::pair<double, double> normalPair(const std::array<uint32_t, 4> &words) {
  auto [first, second] = uniformPair(words);
  double radius = std::sqrt(-2 * std::log(first)), angle = 2 * std::numbers::pi * second;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_NORMAL_H
