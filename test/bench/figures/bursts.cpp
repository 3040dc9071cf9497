//===- bursts.cpp - Rates of a core, for scripts ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What harness.py compiles, together with the bursts of xf-bench (Peak.cpp), and calls between measurements. -O3 and
// -march=native give the sum the widest vectors.
//
//===----------------------------------------------------------------------===//

#include "runtime/tools/Peak.h"

#include <stddef.h>
#include <thread>
#include <vector>

using namespace xfrt::tools;

/// Returns whether the processor has the instruction of a peak: 0 for f32, 1 for bf16.
extern "C" int has_peak(int kind) { return hasPeak(PeakKind(kind)); }

/// Returns GFLOP/s of one thread by the wall clock, so that time lost to other processes shows.
extern "C" double burst(int kind, double seconds) {
  double cpu = threadSeconds(), wall = wallSeconds();
  double rate = measurePeak(PeakKind(kind), 1, seconds).gflops;
  return rate * (threadSeconds() - cpu) / (wallSeconds() - wall);
}

/// Reads `count` floats once and returns their sum. Eight sums of 16 lanes cover the latency of additions.
static float readOnce(const float *data, size_t count) {
  typedef float Lanes __attribute__((vector_size(64), aligned(4)));
  Lanes sums[8] = {};
  for (size_t i = 0; i + 128 <= count; i += 128)
    for (size_t j = 0; j < 8; ++j)
      sums[j] += *reinterpret_cast<const Lanes *>(data + i + 16 * j);
  float total = 0;
  for (const Lanes &sum : sums)
    for (size_t lane = 0; lane < 16; ++lane)
      total += sum[lane];
  return total;
}

/// Reads `count` floats once, an equal part of them in each of `threads` threads, and returns their sum.
extern "C" float read_stream(const float *data, size_t count, int threads) {
  std::vector<float> sums(threads);
  auto read = [&](int thread) {
    size_t begin = count * thread / threads, end = count * (thread + 1) / threads;
    sums[thread] = readOnce(data + begin, end - begin);
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread)
    others.emplace_back(read, thread);
  read(0);
  for (std::thread &other : others)
    other.join();
  float total = 0;
  for (float sum : sums)
    total += sum;
  return total;
}
