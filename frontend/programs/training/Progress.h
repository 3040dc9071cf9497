//===- Progress.h - Printing the progress of training -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_PROGRESS_H
#define XF_PROGRAMS_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace xf::programs {

/// The values that one line of progress shows.
struct ProgressLine {
  int64_t step = 0, steps = 0; ///< steps is 0 until the number is known
  double bitsPerByte = 0;
  double tokensPerSecond = 0, gflops = 0;
  double secondsLeft = 0;
};

/// Formats a line: "step  120/1000   2.345 bits/byte   12345 tokens/s   45.6 GFLOP/s   ETA 1:23"
std::string format(const ProgressLine &line);

/// Prints progress while training runs. On a terminal, rewrites one line several times a second. Elsewhere, prints a
/// line every few seconds.
class Progress {
public:
  using Clock = std::chrono::steady_clock;

  /// Starts the clock. `firstStep` is the first step that this process runs, above 0 for a resumed run. Speed is
  /// measured from that step on.
  Progress(std::FILE *output, int64_t firstStep, int64_t steps, int64_t tokensPerStep, double flopPerStep);

  /// Sets the number of steps, once it is known.
  void setSteps(int64_t count) { steps = count; }
  /// Reports that a step is done. Prints the line if the interval has passed or `force` is true.
  void update(int64_t step, double bitsPerByte, bool force = false);
  /// Prints `text` on a line of its own, after the line of progress.
  void print(const std::string &text);

private:
  std::FILE *output;
  bool terminal;
  bool pending = false; ///< the last line on the terminal has no line end yet
  int64_t firstStep, steps, tokensPerStep;
  double flopPerStep;
  double smoothed = 0;
  Clock::time_point start, shown;
};

} // namespace xf::programs

#endif // XF_PROGRAMS_PROGRESS_H
