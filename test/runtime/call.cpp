//===- call.cpp - Entries run, on any number of threads -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <cmath>
#include <gtest/gtest.h>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace testmodel;

namespace {

Array<float> ramp(int64_t rows) {
  Array<float> x({rows, 8});
  for (size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = float(int(i * 7919 % 1001) - 500) / 37;
  return x;
}

std::vector<float> runChain(Handle &handle, Array<float> &x) {
  Array<float> y(x.shape, -1);
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << handle.message();
  return y.values;
}

std::vector<float> expectedChain(const Array<float> &x) {
  std::vector<float> y;
  for (size_t i = 0; i < x.values.size(); ++i) {
    float cube = x.values[i] * x.values[i] * x.values[i];
    y.push_back((i % 8 ? y.back() : 0) + cube / 3);
  }
  return y;
}

TEST(Call, StaticEntry) {
  Handle handle(1);
  Array<float> x({2, 3}, 1), y({2, 3}, 2), sum({2, 3});
  EXPECT_EQ(handle.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK) << handle.message();
  EXPECT_EQ(sum.values, std::vector<float>(6, 3));
}

TEST(Call, DynamicEntryGrowsAndShrinks) {
  Handle handle(1);
  for (int64_t rows : {3, 4096, 1, 77}) {
    Array<float> x = ramp(rows);
    EXPECT_EQ(runChain(handle, x), expectedChain(x)) << rows;
  }
}

TEST(Call, BitwiseEqualForAnyNumberOfThreads) {
  for (int32_t threads : {1, 2, 3, 7}) {
    Handle handle(threads);
    ASSERT_EQ(handle.status, XFRT_OK);
    EXPECT_EQ(xfrt_threads(handle.context), threads);
    for (int64_t rows : {1, 2, 7, 100, 4096})
      for (int repeat = 0; repeat < 20; ++repeat) {
        Array<float> x = ramp(rows);
        ASSERT_EQ(runChain(handle, x), expectedChain(x)) << threads << " threads, " << rows << " rows";
      }
  }
}

TEST(Call, WorkersWakeAfterSleeping) {
  Handle handle(3);
  Array<float> x = ramp(500);
  for (int repeat = 0; repeat < 5; ++repeat) {
    EXPECT_EQ(runChain(handle, x), expectedChain(x));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(Call, TwoHandlesOfOneModelAtTheSameTime) {
  auto work = [](int64_t rows) {
    Handle handle(2);
    Array<float> x = ramp(rows);
    for (int repeat = 0; repeat < 200; ++repeat)
      ASSERT_EQ(runChain(handle, x), expectedChain(x));
  };
  std::thread other(work, 300);
  work(411);
  other.join();
}

/// A kernel that holds its call until it is told to go on.
std::atomic<bool> entered, proceed;
void waitingKernel(const int64_t *, void *const *, int64_t, int64_t, void *) {
  entered = true;
  while (!proceed)
    std::this_thread::yield();
}

TEST(Call, SecondCallOnABusyHandleIsRefused) {
  xfrt_launch launch = addLaunches[0];
  launch.kernel = waitingKernel;
  xfrt_entry entry = entries[Add];
  entry.launches = &launch;
  xfrt_model waiting = model;
  waiting.entries = &entry;
  waiting.entry_count = 1;
  Handle handle(Handle::withThreads(1), &waiting);
  Array<float> x({2, 3}), sum({2, 3});
  entered = proceed = false;
  std::thread first([&] { EXPECT_EQ(handle.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_OK); });
  while (!entered)
    std::this_thread::yield();
  EXPECT_EQ(handle.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_BUSY);
  EXPECT_EQ(xfrt_reserve(handle.context, Add, nullptr, 0), XFRT_BUSY);
  proceed = true;
  first.join();
}

//===----------------------------------------------------------------------===//
// The caller's own parallel loop
//===----------------------------------------------------------------------===//

struct Loop {
  int64_t calls = 0;
  int64_t skip = 0;   // tiles left out at the end
  int32_t worker = 0; // that is named
};

void backwards(void *user, int32_t, int64_t count, xfrt_tiles tiles, void *task) {
  auto &loop = *static_cast<Loop *>(user);
  for (int64_t i = count - loop.skip; i-- > 0; ++loop.calls)
    tiles(task, i, i + 1, loop.worker);
}

xfrt_options withLoop(Loop &loop) {
  xfrt_options options = Handle::withThreads(4);
  options.parallel_for = backwards;
  options.parallel_user = &loop;
  return options;
}

TEST(Call, OwnParallelLoop) {
  Loop loop;
  loop.worker = 3;
  Handle handle(withLoop(loop));
  Array<float> x = ramp(50);
  EXPECT_EQ(runChain(handle, x), expectedChain(x));
  EXPECT_EQ(loop.calls, 100);
}

TEST(Call, OwnParallelLoopThatSkipsTiles) {
  Loop loop;
  loop.skip = 1;
  Handle handle(withLoop(loop));
  Array<float> x = ramp(50), y = ramp(50);
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_BAD_HOOK);
  EXPECT_EQ(handle.message(),
            "entry 'chain': kernel 'cube': expected parallel_for to run each of 50 tiles once on workers below 4");
}

TEST(Call, OwnParallelLoopWithAWrongWorker) {
  Loop loop;
  Handle handle(withLoop(loop));
  Array<float> x = ramp(50), y = ramp(50);
  for (int32_t wrong : {-1, 4, INT32_MAX}) {
    loop.worker = wrong;
    EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_BAD_HOOK);
  }
}

//===----------------------------------------------------------------------===//
// Floating-point environment
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
TEST(Call, CallersFloatEnvironmentIsPutAsideAndRestored) {
  const unsigned flushToZero = 0x8000, subnormalsAreZero = 0x40, roundUp = 0x4000, masks = 0x1f80;
  for (int32_t threads : {1, 2}) {
    Handle handle(threads);
    Array<float> x = ramp(100), y({100, 8});
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = (i + 1) * 1e-14f; // cubes are subnormal
    std::vector<float> expected = expectedChain(x);
    ASSERT_NE(expected[0], 0);
    xfrt_buffer argument = x.buffer(), result = y.buffer();
    unsigned own = _mm_getcsr(), strange = masks | flushToZero | subnormalsAreZero | roundUp;
    _mm_setcsr(strange);
    xfrt_status status = xfrt_call(handle.context, Chain, &argument, 1, &result, 1);
    unsigned after = _mm_getcsr();
    _mm_setcsr(own);
    EXPECT_EQ(status, XFRT_OK) << handle.message();
    EXPECT_EQ(after, strange);
    EXPECT_EQ(y.values, expected);
  }
}

TEST(Call, UnmaskedExceptionsDoNotTrap) {
  Handle handle(2);
  Array<float> x = ramp(100), y({100, 8});
  x.values[5] = 3e38f; // its cube overflows
  xfrt_buffer argument = x.buffer(), result = y.buffer();
  unsigned own = _mm_getcsr();
  _mm_setcsr(0); // every exception traps
  xfrt_status status = xfrt_call(handle.context, Chain, &argument, 1, &result, 1);
  _mm_setcsr(own);
  EXPECT_EQ(status, XFRT_OK);
  EXPECT_EQ(y.values[5], INFINITY);
}
#endif

} // namespace
