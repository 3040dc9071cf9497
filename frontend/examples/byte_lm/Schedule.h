//===- Schedule.h - The learning rate of a step -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_SCHEDULE_H
#define BYTE_LM_SCHEDULE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace byte_lm {

/// Learning rate schedule: linear warm-up to the peak, then cosine decay to a fraction of the peak. The rate depends on
/// the step only.
struct Schedule {
  double peak = 1e-3;
  double floor = 0.1; ///< share of the peak at the end
  int64_t warmup = 50;
  int64_t steps = 1000;

  /// Returns the learning rate of a step, counted from 0.
  double rate(int64_t step) const {
    if (step < warmup)
      return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
    double done = static_cast<double>(step - warmup) / static_cast<double>(std::max<int64_t>(steps - warmup, 1));
    return peak * (floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * std::min(done, 1.0))));
  }
};

} // namespace byte_lm

#endif // BYTE_LM_SCHEDULE_H
