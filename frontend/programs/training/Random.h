//===- Random.h - Stateless random numbers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_RANDOM_H
#define XF_PROGRAMS_RANDOM_H

#include <cstdint>

namespace xf::programs {

/// Returns 64 pseudo-random bits that depend on the three arguments only (the finaliser of SplitMix64, chained).
inline uint64_t randomBits(uint64_t seed, uint64_t stream, uint64_t position) {
  auto mix = [](uint64_t bits) {
    bits += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  };
  return mix(mix(mix(seed) ^ stream) ^ position);
}

/// Returns a pseudo-random number in [0, 1) that depends on the three arguments only.
inline double randomUnit(uint64_t seed, uint64_t stream, uint64_t position) {
  return static_cast<double>(randomBits(seed, stream, position) >> 11) * 0x1p-53;
}

} // namespace xf::programs

#endif // XF_PROGRAMS_RANDOM_H
