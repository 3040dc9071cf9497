//===- Meter.h - How far a program is ----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_METER_H
#define XF_PROGRAMS_METER_H

#include <chrono>
#include <cstdint>
#include <string>

namespace xf::programs {

/// Prints to standard error how many of `total` things are done, and how many per second. On a terminal, rewrites one
/// line several times a second. Elsewhere, prints a line every few seconds. The last line stays.
class Meter {
public:
  /// Starts the clock. `things` names what is counted, such as "sentences", and `total` is their number.
  Meter(std::string things, int64_t total);
  ~Meter();
  Meter(const Meter &) = delete;
  Meter &operator=(const Meter &) = delete;

  /// Reports that `count` of the things are done.
  void update(int64_t count);

private:
  using Clock = std::chrono::steady_clock;
  void print(Clock::time_point now);

  std::string things;
  int64_t total, done = 0;
  bool isTerminal;
  Clock::time_point start, shown;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_METER_H
