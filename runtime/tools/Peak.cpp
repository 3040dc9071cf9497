//===- Peak.cpp - Peak rate of the cores ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

#include <algorithm>
#include <time.h>

using namespace xfrt::tools;
using xfrt::cpu::MultiplyAdds;

static double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
double xfrt::tools::threadSeconds() { return seconds(CLOCK_THREAD_CPUTIME_ID); }
double xfrt::tools::wallSeconds() { return seconds(CLOCK_MONOTONIC); }

bool xfrt::tools::hasPeak(PeakKind kind) { return kind == PeakKind::F32 || cpu::bf16MultiplyAdds().run; }

static MultiplyAdds multiplyAddsOf(PeakKind kind) {
  return kind == PeakKind::BF16 ? xfrt::cpu::bf16MultiplyAdds() : xfrt::cpu::f32MultiplyAdds();
}

//===----------------------------------------------------------------------===//
// Bursts
//===----------------------------------------------------------------------===//

/// Returns the number of iterations of a loop that take about `seconds` on one thread.
static int64_t calibrate(const MultiplyAdds &loop, double seconds) {
  const int64_t trial = 100000;
  loop.run(trial); // powers up the wide vector units
  double begin = threadSeconds();
  loop.run(trial);
  double taken = std::max(threadSeconds() - begin, 1e-7);
  return std::max(int64_t(seconds / taken * double(trial)), int64_t(1000));
}

xfrt::cpu::Burst xfrt::tools::measurePeak(PeakKind kind, int threads, double seconds) {
  MultiplyAdds loop = multiplyAddsOf(kind);
  static int64_t iterations[2] = {0, 0};
  int64_t &count = iterations[kind == PeakKind::BF16];
  if (count == 0)
    count = calibrate(loop, seconds);
  return cpu::runBurst(loop, threads, count);
}
