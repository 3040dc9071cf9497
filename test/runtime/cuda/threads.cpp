//===- threads.cpp - Handles on one GPU in several threads ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <thread>

using namespace gpumodel;

namespace {

using Threads = OnGpu;

/// Makes a handle, trains a little and compares.
void train(float start) {
  Gpu gpu(XFRT_RESIDENT_PARAMETERS);
  ASSERT_EQ(gpu.status, XFRT_OK) << xfrt_message(nullptr);
  Array<float> w({4}, start), g({4}, 1), y({4});
  for (int i = 1; i <= 20; ++i) {
    ASSERT_EQ(gpu.call(Step, {w.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_OK) << gpu.message();
    ASSERT_EQ(gpu.call(Scale, {w.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
    ASSERT_EQ(y.values, std::vector<float>(4, 2 * start - float(i)));
    Array<float> deep({3, 8}, start), deeper({3, 8});
    ASSERT_EQ(gpu.call(Chain, {deep.buffer()}, {deeper.buffer()}), XFRT_OK) << gpu.message();
    ASSERT_EQ(deeper.values, std::vector<float>(24, start * start * start / 2));
  }
  ASSERT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
  EXPECT_EQ(w.values, std::vector<float>(4, start - 10));
}

TEST_F(Threads, EachHasItsOwnHandle) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(train, float(100 * i));
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Threads, TheSameHandleAnswersBusy) {
  Gpu gpu;
  Array<float> x({4}, 1);
  std::atomic<int> finished{0}, busy{0};
  auto call = [&] {
    Array<float> y({4}, -1);
    xfrt_buffer in = x.buffer(), out = y.buffer();
    for (int i = 0; i < 200; ++i) {
      xfrt_status status = xfrt_call(gpu.context, Shift, &in, 1, &out, 1);
      (status == XFRT_OK ? finished : busy)++;
      EXPECT_TRUE(status == XFRT_OK || status == XFRT_BUSY);
    }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(finished + busy, 400);
  EXPECT_GT(finished, 0);
}

/// Where one handle's kernel fails all handles of the context are lost, each in its own time.
TEST_F(Threads, ALostContextIsLostToAllHandles) {
  Array<float> x({4}, 1), y({4}, -1);
  {
    Gpu first, second;
    settings.fail("kernel", "1", 719);
    EXPECT_EQ(first.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_DEVICE_ERROR);
    EXPECT_EQ(second.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_DEVICE_ERROR);
    settings.heal();
  }
  Gpu third;
  EXPECT_EQ(third.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_OK) << third.message();
}

} // namespace
