//===- Philox.h - Counter-based random numbers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_MODULES_PHILOX_H
#define XF_FRONTEND_GRAPH_MODULES_PHILOX_H

#include <array>
#include <cstdint>

namespace xf::detail {

/// Computes four random words from a key and a counter, without state, by Philox4x32-10 (Salmon et al., Parallel random
/// numbers: as easy as 1, 2, 3).
inline std::array<uint32_t, 4> philox(uint64_t key, uint64_t low, uint64_t high) {
  auto lower = [](uint64_t value) { return static_cast<uint32_t>(value); };
  auto upper = [](uint64_t value) { return static_cast<uint32_t>(value >> 32); };
  std::array<uint32_t, 4> words = {lower(low), upper(low), lower(high), upper(high)};
  uint32_t key0 = lower(key), key1 = upper(key);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t{0xD2511F53} * words[0], product1 = uint64_t{0xCD9E8D57} * words[2];
    words = {upper(product1) ^ words[1] ^ key0, lower(product1), upper(product0) ^ words[3] ^ key1, lower(product0)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return words;
}

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_MODULES_PHILOX_H
