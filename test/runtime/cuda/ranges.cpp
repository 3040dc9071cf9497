//===- ranges.cpp - Ranges of NVTX around calls and launches --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links a stand-in for NVTX's library (Inputs/nvtx.c), which the runtime finds by its name.
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

using namespace gpumodel;

extern "C" const char *takeRanges();

namespace {

using Ranges = OnGpu;

TEST_F(Ranges, ACallHoldsItsLaunches) {
  Gpu gpu;
  Array<float> x({5, 8}, 1), y({5, 8});
  takeRanges();
  ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  const xfrt_entry &entry = gpu.model.table.entries[Chain];
  EXPECT_EQ(takeRanges(),
            std::string(entry.name) + "{" + entry.launches[0].name + "{}" + entry.launches[1].name + "{}}");
}

TEST_F(Ranges, AReplayIsOneRange) {
  Gpu gpu;
  Array<float> x({5, 8}, 1), y({5, 8});
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  takeRanges();
  ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(takeRanges(), std::string(gpu.model.table.entries[Chain].name) + "{}");
}

TEST_F(Ranges, AFailureEndsItsRanges) {
  Gpu gpu;
  Array<float> x({5, 8}, 1), y({5, 8});
  takeRanges();
  settings.fail("cuLaunchKernel", "2", 719);
  EXPECT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_DEVICE_ERROR);
  const xfrt_entry &entry = gpu.model.table.entries[Chain];
  EXPECT_EQ(takeRanges(),
            std::string(entry.name) + "{" + entry.launches[0].name + "{}" + entry.launches[1].name + "{}}");
}

} // namespace
