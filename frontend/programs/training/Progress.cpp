//===- Progress.cpp - Printing the progress of training -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <unistd.h>

using namespace xf;
using namespace xf::programs;

static std::string formatSeconds(double seconds) {
  auto whole = static_cast<int64_t>(seconds + 0.5);
  char text[48];
  if (whole >= 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", static_cast<long long>(whole / 3600),
                  static_cast<long long>(whole / 60 % 60), static_cast<long long>(whole % 60));
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld", static_cast<long long>(whole / 60),
                  static_cast<long long>(whole % 60));
  return text;
}

std::string programs::format(const ProgressLine &line) {
  bool isKnown = line.steps > 0; // until then the first steps are timed to find the number
  char text[192];
  std::snprintf(text, sizeof(text), "step %5lld/%s   %.3f bits/byte   %.0f tokens/s   %.1f GFLOP/s   ETA %s",
                static_cast<long long>(line.step), isKnown ? std::to_string(line.steps).c_str() : "?", line.bitsPerByte,
                line.tokensPerSecond, line.gflops, isKnown ? formatSeconds(line.secondsLeft).c_str() : "?");
  return text;
}

Progress::Progress(std::FILE *output, int64_t firstStep, int64_t steps, int64_t tokensPerStep, double flopPerStep)
    : output(output), terminal(isatty(fileno(output))), firstStep(firstStep), steps(steps),
      tokensPerStep(tokensPerStep), flopPerStep(flopPerStep), start(Clock::now()), shown(start) {}

void Progress::update(int64_t step, double bitsPerByte, bool force) {
  Clock::time_point now = Clock::now();
  int64_t done = step - firstStep;
  smoothed = done <= 1 ? bitsPerByte : 0.9 * smoothed + 0.1 * bitsPerByte;
  std::chrono::duration<double> elapsed = now - start, quiet = now - shown;
  if (!force && quiet.count() < (terminal ? 0.2 : 5.0))
    return;
  shown = now;
  double rate = elapsed.count() > 0 ? static_cast<double>(done) / elapsed.count() : 0;
  ProgressLine line{step,
                    steps,
                    smoothed,
                    rate * static_cast<double>(tokensPerStep),
                    rate * flopPerStep * 1e-9,
                    rate > 0 ? static_cast<double>(steps - step) / rate : 0};
  std::fprintf(output, terminal ? "\r\033[K%s" : "%s\n", format(line).c_str());
  std::fflush(output);
  pending = terminal;
}

void Progress::print(const std::string &text) {
  std::fprintf(output, "%s%s\n", pending ? "\n" : "", text.c_str());
  std::fflush(output);
  pending = false;
}
