//===- Peak.cpp - Peak rate of the cores ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are assembly, so that no compiler can merge or hoist them: twelve independent accumulators cover a latency
// of four cycles on up to three pipes.
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <time.h>
#include <vector>

using namespace xfrt::tools;

static double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
double xfrt::tools::threadSeconds() { return seconds(CLOCK_THREAD_CPUTIME_ID); }
double xfrt::tools::wallSeconds() { return seconds(CLOCK_MONOTONIC); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
struct Loop {
  void (*run)(int64_t iterations);
  double flopPerIteration;
};
} // namespace

static constexpr double accumulators = 12;

#if defined(__x86_64__)

#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13)
#define TWELVE(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11)
#define CLOBBERED                                                                                                      \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",  \
      "cc"
#define LOOP(NAME, ZERO, STEP)                                                                                         \
  static void NAME(int64_t n) {                                                                                        \
    asm volatile(EACH(ZERO) ".p2align 6\n1:\n" TWELVE(STEP) "dec %0\n jnz 1b\n" : "+r"(n) : : CLOBBERED);              \
  }

#define ZERO_XMM(r) "xorps %%xmm" #r ", %%xmm" #r "\n"
#define ZERO_AVX(r) "vxorps %%xmm" #r ", %%xmm" #r ", %%xmm" #r "\n"
#define STEP_SSE(r) "addps %%xmm12, %%xmm" #r "\n"
#define STEP_YMM(r) "vfmadd231ps %%ymm12, %%ymm13, %%ymm" #r "\n"
#define STEP_ZMM(r) "vfmadd231ps %%zmm12, %%zmm13, %%zmm" #r "\n"
#define STEP_BF16(r) "vdpbf16ps %%zmm12, %%zmm13, %%zmm" #r "\n"

LOOP(runSse, ZERO_XMM, STEP_SSE)
LOOP(runYmm, ZERO_AVX, STEP_YMM)
LOOP(runZmm, ZERO_AVX, STEP_ZMM)
LOOP(runBf16, ZERO_AVX, STEP_BF16)

static Loop loopOf(PeakKind kind) {
  if (kind == PeakKind::BF16)
    return {runBf16, accumulators * 64};
  if (__builtin_cpu_supports("avx512f"))
    return {runZmm, accumulators * 32};
  if (__builtin_cpu_supports("fma"))
    return {runYmm, accumulators * 16};
  return {runSse, accumulators * 4};
}

bool xfrt::tools::hasPeak(PeakKind kind) { return kind == PeakKind::F32 || __builtin_cpu_supports("avx512bf16"); }

#elif defined(__aarch64__)

#define STEP(r) "fmla v" #r ".4s, v12.4s, v13.4s\n"
static void runNeon(int64_t n) {
  asm volatile("1:\n" STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10)
                   STEP(11) "subs %0, %0, #1\n b.ne 1b\n"
               : "+r"(n)
               :
               : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "cc");
}

static Loop loopOf(PeakKind) { return {runNeon, accumulators * 8}; }

bool xfrt::tools::hasPeak(PeakKind kind) { return kind == PeakKind::F32; }

#endif

//===----------------------------------------------------------------------===//
// Bursts
//===----------------------------------------------------------------------===//

/// Returns the number of iterations of a loop that take about `seconds` on one thread.
static int64_t calibrate(const Loop &loop, double seconds) {
  const int64_t trial = 100000;
  loop.run(trial); // powers up the wide vector units
  double begin = threadSeconds();
  loop.run(trial);
  double taken = std::max(threadSeconds() - begin, 1e-7);
  return std::max(int64_t(seconds / taken * double(trial)), int64_t(1000));
}

static double measureOnAll(const Loop &loop, int threads, int64_t iterations) {
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
  Loop loop = loopOf(kind);
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
