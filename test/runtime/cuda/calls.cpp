//===- calls.cpp - Entries on a GPU ---------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <numeric>

using namespace gpumodel;

namespace {

using Call = OnGpu;

TEST_F(Call, AddsOnTheDevice) {
  Gpu gpu;
  ASSERT_EQ(gpu.status, XFRT_OK) << xfrt_message(nullptr);
  EXPECT_EQ(xfrt_selected_model(gpu.context), &gpu.model.table);
  EXPECT_EQ(xfrt_threads(gpu.context), 1);
  Array<float> x({2, 3}), y({2, 3}), sum({2, 3}, -1);
  std::iota(x.values.begin(), x.values.end(), 1.0f);
  std::iota(y.values.begin(), y.values.end(), 10.0f);
  ASSERT_EQ(gpu.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(sum.values, (std::vector<float>{11, 13, 15, 17, 19, 21}));
}

TEST_F(Call, DynamicSizesThroughTheArena) {
  Gpu gpu;
  for (int64_t rows : {1, 100, 3, 4096}) {
    Array<float> x({rows, 8}), y({rows, 8}, -1);
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = float(i % 7) - 3;
    ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
    for (size_t i = 0; i < x.values.size(); ++i)
      ASSERT_EQ(y.values[i], x.values[i] * x.values[i] * x.values[i] / 2);
  }
}

TEST_F(Call, ReservedMemoryIsAllocatedOnce) {
  Gpu gpu;
  int64_t rows = 100;
  ASSERT_EQ(xfrt_reserve(gpu.context, Chain, &rows, 1), XFRT_OK);
  uint64_t reserved = xfSimUsedBytes();
  Array<float> x({rows, 8}, 2), y({rows, 8});
  ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK);
  uint64_t staged = 2 * ((rows * 8 * 4 + 255) / 256 * 256);
  EXPECT_EQ(xfSimUsedBytes(), reserved - 256 + staged); // which begins with a little
}

TEST_F(Call, Constants) {
  Gpu gpu;
  Array<float> x({4}, 1), y({4});
  ASSERT_EQ(gpu.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(y.values, (std::vector<float>{11, 21, 31, 41}));
}

TEST_F(Call, WithoutPools) {
  settings.set("XF_SIM_POOLS", "0");
  Gpu gpu;
  Array<float> x({4}, 1), y({4});
  ASSERT_EQ(gpu.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(y.values, (std::vector<float>{11, 21, 31, 41}));
  EXPECT_EQ(xfSimCalls("cuMemAllocAsync"), 0);
  EXPECT_GT(xfSimCalls("cuMemAlloc_v2"), 0);
}

TEST_F(Call, UpdatesArgumentsInPlace) {
  Gpu gpu;
  Array<float> w({4}, 1), g({4}, 1);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(gpu.call(Step, {w.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_OK) << gpu.message();
  EXPECT_EQ(w.values, std::vector<float>(4, -0.5f));
  w.values.assign(4, 7);
  ASSERT_EQ(gpu.call(Step, {w.buffer(), g.buffer()}, {w.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(w.values, std::vector<float>(4, 6.5f));
}

TEST_F(Call, EmptyTensors) {
  Gpu gpu;
  Array<float> table({5}, 1), output({0});
  Array<int32_t> index({0});
  EXPECT_EQ(gpu.call(Gather, {table.buffer(), index.buffer()}, {output.buffer()}), XFRT_OK) << gpu.message();
}

TEST_F(Call, ChecksIntegers) {
  Gpu gpu;
  Array<float> table({5}), output({3}, -1);
  std::iota(table.values.begin(), table.values.end(), 0.0f);
  Array<int32_t> index({3});
  index.values = {4, 0, 2};
  ASSERT_EQ(gpu.call(Gather, {table.buffer(), index.buffer()}, {output.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(output.values, (std::vector<float>{4, 0, 2}));
  index.values = {4, 5, 2};
  output.values = {-1, -1, -1};
  EXPECT_EQ(gpu.call(Gather, {table.buffer(), index.buffer()}, {output.buffer()}), XFRT_OUT_OF_RANGE);
  EXPECT_EQ(gpu.message(), "entry 'gather': argument 'i': expected elements between 0 and 4, got 5 at index 1");
  EXPECT_EQ(output.values, std::vector<float>(3, -1));
}

TEST_F(Call, RefusesBuffersAsACpuDoes) {
  Gpu gpu;
  Array<float> x({2, 3}), y({2, 3}), sum({2, 3}, -1);
  EXPECT_EQ(gpu.call(Add, {x.buffer(), y.buffer()}, {x.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "entry 'add': expected separate memory, but result 'sum' overlaps argument 'x'");
  xfrt_buffer elsewhere = y.buffer();
  elsewhere.device = 2;
  EXPECT_EQ(gpu.call(Add, {x.buffer(), elsewhere}, {sum.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "entry 'add': argument 'y': expected memory of the host or the GPU, got memory of device 2");
}

TEST_F(Call, WhatTheMachineFindsWrongInAKernelFailsTheCall) {
  const int64_t frame[] = {2, 30, 0}; // rows of 30 elements in tensors of 6
  xfrt_entry entry = entries[Add];
  entry.frame = frame;
  Model model;
  model.table.entries = &entry;
  model.table.entry_count = 1;
  xfrt_options options = onGpu();
  xfrt_context *context = nullptr;
  ASSERT_EQ(xfrt_create(&model.table, &options, &context), XFRT_OK);
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  xfrt_buffer arguments[] = {x.buffer(), x.buffer()}, result = sum.buffer();
  testing::internal::CaptureStderr();
  EXPECT_EQ(xfrt_call(context, 0, arguments, 2, &result, 1), XFRT_DEVICE_ERROR);
  std::string report = testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("simulated driver: kernel add: error: image.ptx:"), std::string::npos) << report;
  EXPECT_EQ(sum.values, std::vector<float>(6, -1));
  xfrt_destroy(context);
}

/// What kernels do to a context stays with it, but not with the next one.
TEST_F(Call, AFailedKernelIsTheAnswerFromThenOn) {
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  {
    Gpu gpu;
    settings.fail("cuStreamSynchronize", "1", 719);
    EXPECT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_DEVICE_ERROR);
    EXPECT_EQ(gpu.message(),
              "entry 'add': device 0: cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)");
    settings.heal();
    EXPECT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_DEVICE_ERROR);
    EXPECT_EQ(gpu.message(), "device 0 is lost to this handle since cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED "
                             "(unspecified launch failure)");
    EXPECT_EQ(xfrt_reserve(gpu.context, Add, nullptr, 0), XFRT_DEVICE_ERROR);
    EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_DEVICE_ERROR);
    EXPECT_EQ(sum.values, std::vector<float>(6, -1));
  }
  Gpu gpu;
  EXPECT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(sum.values, std::vector<float>(6, 2));
}

} // namespace
