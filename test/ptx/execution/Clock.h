//===- Clock.h - Which accesses happened before which -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_CLOCK_H
#define XF_TEST_PTX_EXECUTION_CLOCK_H

#include <algorithm>
#include <stdint.h>
#include <vector>

namespace xf::ptx {

/// Agents are the warps of a CTA (0 to 31), and from firstStream on the copies that each mbarrier counts.
inline constexpr uint32_t firstStream = 32;
inline constexpr uint32_t maxAgents = 512;

/// The latest clock of each agent that is known to have passed.
class VectorClock {
public:
  uint32_t operator[](uint32_t agent) const { return agent < clocks.size() ? clocks[agent] : 0; }

  void raise(uint32_t agent, uint32_t clock) {
    if (agent >= clocks.size())
      clocks.resize(agent + 1, 0);
    clocks[agent] = std::max(clocks[agent], clock);
  }

  void join(const VectorClock &other) {
    if (clocks.size() < other.clocks.size())
      clocks.resize(other.clocks.size(), 0);
    for (size_t i = 0; i < other.clocks.size(); ++i)
      clocks[i] = std::max(clocks[i], other.clocks[i]);
  }

  /// What both know.
  void meet(const VectorClock &other) {
    for (size_t i = 0; i < clocks.size(); ++i)
      clocks[i] = std::min(clocks[i], other[static_cast<uint32_t>(i)]);
  }

  bool operator==(const VectorClock &) const = default;

private:
  std::vector<uint32_t> clocks;
};

/// What has passed, and what of it a proxy fence has made visible to the async proxy.
struct Knowledge {
  VectorClock seen, fenced;

  void join(const Knowledge &other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
  void meet(const Knowledge &other) {
    seen.meet(other.seen);
    fenced.meet(other.fenced);
  }
  bool operator==(const Knowledge &) const = default;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_CLOCK_H
