//===- old.cpp - A driver without optional functions ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

using namespace gpumodel;

namespace {

using Old = OnGpu;

TEST_F(Old, SaysNoName) {
  Gpu gpu;
  EXPECT_STREQ(xfrt_device_name(gpu.context), "");
}

TEST_F(Old, HasNoTensorMaps) {
  const xfrt_tensor_map map = {0, XFRT_F32, 1, {0}, {0}, {4}, 0};
  xfrt_launch launch = addLaunches[0];
  launch.map_count = 1;
  xfrt_entry entry = entries[Add];
  entry.launches = &launch;
  entry.maps = &map;
  Model model;
  model.table.entries = &entry;
  model.table.entry_count = 1;
  xfrt_options options = onGpu();
  xfrt_context *context = nullptr;
  EXPECT_EQ(xfrt_create(&model.table, &options, &context), XFRT_OLD_DRIVER);
  EXPECT_STREQ(xfrt_message(nullptr),
               "expected a CUDA driver of version 12.0 or later, got one without cuTensorMapEncodeTiled");
}

} // namespace
