//===- Peak.cpp - Peak rate of the cores ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"
#include "../lib/cpu/MultiplyAdds.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <time.h>
#include <vector>

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

static double measureOnAll(const MultiplyAdds &loop, int threads, int64_t iterations) {
  std::atomic<int> ready{0};
  std::vector<double> begins(static_cast<size_t>(threads)), ends(begins.size());
  auto work = [&](size_t index) {
    for (++ready; ready < threads;)
      std::this_thread::yield();
    begins[index] = wallSeconds();
    loop.run(iterations);
    ends[index] = wallSeconds();
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < begins.size(); ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &other : others)
    other.join();
  return *std::max_element(ends.begin(), ends.end()) - *std::min_element(begins.begin(), begins.end());
}

double xfrt::tools::measurePeak(PeakKind kind, int threads, double seconds) {
  MultiplyAdds loop = multiplyAddsOf(kind);
  static int64_t iterations[2] = {0, 0};
  int64_t &count = iterations[kind == PeakKind::BF16];
  if (count == 0)
    count = calibrate(loop, seconds);
  if (threads > 1)
    return double(threads) * double(count) * loop.flopPerIteration / measureOnAll(loop, threads, count) * 1e-9;
  double begin = threadSeconds();
  loop.run(count);
  return double(count) * loop.flopPerIteration / (threadSeconds() - begin) * 1e-9;
}
