//===- MultiplyAdds.cpp - The fastest arithmetic of a core ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are assembly, so that no compiler can merge or hoist multiply-adds. Twelve independent accumulators cover a
// latency of four cycles on up to three pipes. Loops in 512-bit registers have 24, because vdpbf16ps takes six cycles
// on two pipes (Zen 5). Their iterations have 48 multiply-adds, because the jump of an iteration with 24 would take a
// sixteenth of the time.
//
//===----------------------------------------------------------------------===//

#include "MultiplyAdds.h"
#include "ThreadPool.h"

#include <algorithm>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

using namespace xfrt;
using namespace xfrt::cpu;

static constexpr double accumulators = 12;
[[maybe_unused]] static constexpr double wideSteps = 48;

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

#define TWENTY_FOUR(M) TWELVE(M) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19) M(20) M(21) M(22) M(23)
#define WIDE_LOOP(NAME, ZERO, STEP)                                                                                    \
  __attribute__((target("avx512f"))) static void NAME(int64_t n) {                                                     \
    asm volatile(TWENTY_FOUR(ZERO) ZERO(24) ZERO(25) ".p2align 6\n1:\n" TWENTY_FOUR(STEP)                              \
                     TWENTY_FOUR(STEP) "dec %0\n jnz 1b\n"                                                             \
                 : "+r"(n)                                                                                             \
                 :                                                                                                     \
                 : CLOBBERED, "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",         \
                   "xmm23", "xmm24", "xmm25");                                                                         \
  }

#define ZERO_XMM(r) "xorps %%xmm" #r ", %%xmm" #r "\n"
#define ZERO_AVX(r) "vxorps %%xmm" #r ", %%xmm" #r ", %%xmm" #r "\n"
#define ZERO_ZMM(r) "vpxord %%zmm" #r ", %%zmm" #r ", %%zmm" #r "\n"
#define STEP_SSE(r) "addps %%xmm12, %%xmm" #r "\n"
#define STEP_YMM(r) "vfmadd231ps %%ymm12, %%ymm13, %%ymm" #r "\n"
#define STEP_ZMM(r) "vfmadd231ps %%zmm24, %%zmm25, %%zmm" #r "\n"
#define STEP_BF16(r) "vdpbf16ps %%zmm24, %%zmm25, %%zmm" #r "\n"

LOOP(runSse, ZERO_XMM, STEP_SSE)
LOOP(runYmm, ZERO_AVX, STEP_YMM)
WIDE_LOOP(runZmm, ZERO_ZMM, STEP_ZMM)
WIDE_LOOP(runBf16, ZERO_ZMM, STEP_BF16)

MultiplyAdds cpu::f32MultiplyAdds() {
  if (__builtin_cpu_supports("avx512f"))
    return {runZmm, wideSteps * 32};
  if (__builtin_cpu_supports("fma"))
    return {runYmm, accumulators * 16};
  return {runSse, accumulators * 4};
}

MultiplyAdds cpu::bf16MultiplyAdds() {
  if (__builtin_cpu_supports("avx512bf16"))
    return {runBf16, wideSteps * 64};
  return {};
}

#elif defined(__aarch64__)

#define STEP(r) "fmla v" #r ".4s, v12.4s, v13.4s\n"
static void runNeon(int64_t n) {
  asm volatile("1:\n" STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10)
                   STEP(11) "subs %0, %0, #1\n b.ne 1b\n"
               : "+r"(n)
               :
               : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "cc");
}

MultiplyAdds cpu::f32MultiplyAdds() { return {runNeon, accumulators * 8}; }
MultiplyAdds cpu::bf16MultiplyAdds() { return {}; }

#endif

//===----------------------------------------------------------------------===//
// Bursts
//===----------------------------------------------------------------------===//

static double seconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

namespace {
/// A thread that runs a loop as soon as all threads have started.
struct Runner {
  const MultiplyAdds *loop;
  int64_t iterations;
  const std::atomic<bool> *begins;
  double cpuSeconds, wallSeconds;
  pthread_t thread;
};
} // namespace

static void *runLoop(void *data) {
  auto &runner = *static_cast<Runner *>(data);
  while (!runner.begins->load(std::memory_order_acquire))
    sched_yield();
  const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
  runner.loop->run(runner.iterations);
  runner.cpuSeconds = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  runner.wallSeconds = seconds(CLOCK_MONOTONIC) - wall;
  return nullptr;
}

Burst cpu::runBurst(const MultiplyAdds &loop, int32_t threads, int64_t iterations) {
  std::atomic<bool> begins{false};
  Runner own = {&loop, iterations, &begins, 0, 0, {}};
  auto *others = static_cast<Runner *>(malloc(sizeof(Runner) * size_t(threads)));
  int32_t started = 0;
  for (; others && started + 1 < threads; ++started) {
    others[started] = own;
    if (pthread_create(&others[started].thread, nullptr, runLoop, &others[started]) != 0)
      break;
  }
  begins.store(true, std::memory_order_release);
  runLoop(&own);
  double rate = 0, cpuSeconds = 0, wallSeconds = 0;
  auto add = [&](const Runner &runner) {
    rate += double(iterations) * loop.flopPerIteration / std::max(runner.cpuSeconds, 1e-9) * 1e-9;
    cpuSeconds += runner.cpuSeconds;
    wallSeconds += runner.wallSeconds;
  };
  add(own);
  for (int32_t i = 0; i < started; ++i) {
    pthread_join(others[i].thread, nullptr);
    add(others[i]);
  }
  free(others);
  const int32_t ran = started + 1, counted = std::min(ran, resolveThreads(0)); // if a thread fails to start, fewer
  const double onEach = double(ran) / counted;                                 // threads on a CPU, which share its time
  return {rate * counted / ran, wallSeconds > 0 ? std::min(1., cpuSeconds / wallSeconds * onEach) : 1};
}

void Bursts::add(const Burst &burst) {
  highest = std::max(highest, burst.gflops);
  lowest = count == 0 ? burst.gflops : std::min(lowest, burst.gflops);
  shares += burst.share;
  ++count;
}

Peak cpu::findPeak(int32_t threads) {
  if (Peak given = givenPeak(); given.gflops > 0)
    return given;
  MultiplyAdds loop = f32MultiplyAdds();
  constexpr int64_t iterations = 100000;
  runBurst(loop, threads, iterations); // powers up the wide vector units
  Bursts bursts;
  for (int burst = 0; burst < 3; ++burst)
    bursts.add(runBurst(loop, threads, iterations));
  return {bursts.most(), true, bursts.areDisturbed()};
}
