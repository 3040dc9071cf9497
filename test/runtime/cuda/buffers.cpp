//===- buffers.cpp - Buffers in the memory of a GPU -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <numeric>

using namespace gpumodel;

namespace {

class Buffers : public OnGpu {
protected:
  Current current;
};

TEST_F(Buffers, OnTheDevice) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), y({2, 3}, 2), sum({2, 3}, -1);
  DeviceArray<float> deviceX(x), deviceY(y), deviceSum(sum);
  settings.set("XF_SIM_DEVICES", "1"); // counts anew
  ASSERT_EQ(gpu.call(Add, {deviceX.buffer(), deviceY.buffer()}, {deviceSum.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(xfSimCalls("cuMemcpyHtoDAsync_v2") + xfSimCalls("cuMemcpyDtoHAsync_v2"), 0);
  EXPECT_EQ(xfSimCalls("cuStreamSynchronize"), 1);
  EXPECT_EQ(deviceSum.values(), std::vector<float>(6, 3));
  ASSERT_EQ(gpu.call(Add, {deviceX.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(sum.values, std::vector<float>(6, 3));
}

TEST_F(Buffers, UpdatedInPlace) {
  Gpu gpu;
  Array<float> w({4}, 1), g({4}, 1);
  DeviceArray<float> deviceW(w);
  ASSERT_EQ(gpu.call(Step, {deviceW.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_OK) << gpu.message();
  EXPECT_EQ(deviceW.values(), std::vector<float>(4, 0.5f));
  xfrt_buffer onHost = deviceW.buffer();
  onHost.device = XFRT_CPU;
  EXPECT_EQ(gpu.call(Step, {deviceW.buffer(), g.buffer()}, {onHost}), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "entry 'step': result 'w': expected the buffer of argument 'w', which it updates, or null");
}

TEST_F(Buffers, OverlapAndAlignment) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), more({12}, 1);
  DeviceArray<float> device(more);
  xfrt_buffer y = device.buffer(), sum = device.buffer();
  y.rank = sum.rank = 2;
  y.shape = sum.shape = x.shape.data();
  sum.data = static_cast<char *>(sum.data) + 16;
  EXPECT_EQ(gpu.call(Add, {x.buffer(), y}, {sum}), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "entry 'add': expected separate memory, but result 'sum' overlaps argument 'y'");
  sum.data = static_cast<char *>(y.data) + 24;
  EXPECT_EQ(gpu.call(Add, {x.buffer(), y}, {sum}), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message().substr(0, 65), "entry 'add': result 'sum': expected data aligned to 16 bytes, got");
}

/// An address of the device says nothing about the host's memory.
TEST_F(Buffers, SameNumbersInOtherMemory) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), y({2, 3}, 1);
  DeviceArray<float> device(y);
  xfrt_buffer result = x.buffer();
  result.data = device.buffer().data;
  result.device = XFRT_CUDA;
  EXPECT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {result}), XFRT_OK);
  EXPECT_EQ(device.values(), std::vector<float>(6, 2));
}

TEST_F(Buffers, IntegersOnTheDeviceAreChecked) {
  Gpu gpu;
  Array<float> table({5}, 3), output({3}, -1);
  Array<int32_t> good({3}, 4), bad({3}, 5);
  DeviceArray<int32_t> deviceGood(good), deviceBad(bad);
  EXPECT_EQ(gpu.call(Gather, {table.buffer(), deviceBad.buffer()}, {output.buffer()}), XFRT_OUT_OF_RANGE);
  EXPECT_EQ(gpu.message(), "entry 'gather': argument 'i': expected elements between 0 and 4, got 5 at index 0");
  EXPECT_EQ(gpu.call(Gather, {table.buffer(), deviceGood.buffer()}, {output.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(output.values, std::vector<float>(3, 3));
}

class CallersStream : public Buffers {
protected:
  CallersStream() { EXPECT_EQ(cuStreamCreate(&stream, 1), 0); }
  ~CallersStream() override { cuStreamDestroy_v2(stream); }
  xfrt_options options() {
    xfrt_options options = onGpu();
    options.stream = stream;
    return options;
  }
  void *stream = nullptr;
};

TEST_F(CallersStream, CallsWithDeviceBuffersDoNotWait) {
  Gpu gpu(options());
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  DeviceArray<float> deviceX(x), deviceSum(sum);
  settings.set("XF_SIM_DEVICES", "1"); // counts anew
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(gpu.call(Add, {deviceX.buffer(), deviceX.buffer()}, {deviceSum.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(xfSimCalls("cuStreamSynchronize"), 0);
  EXPECT_EQ(deviceSum.values(), std::vector<float>(6, -1)); // nothing has run: this device is a lazy one
  EXPECT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_EQ(deviceSum.values(), std::vector<float>(6, 2));
}

TEST_F(CallersStream, CallsWithHostBuffersDo) {
  Gpu gpu(options());
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  DeviceArray<float> deviceSum(sum);
  ASSERT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {deviceSum.buffer()}), XFRT_OK) << gpu.message();
  x.values.assign(6, 100);
  EXPECT_EQ(deviceSum.values(), std::vector<float>(6, 2));
}

/// A handle may end before its work does.
TEST_F(CallersStream, TheEndOfAHandleWaits) {
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  DeviceArray<float> deviceX(x), deviceSum(sum);
  {
    Gpu gpu(options());
    ASSERT_EQ(gpu.call(Add, {deviceX.buffer(), deviceX.buffer()}, {deviceSum.buffer()}), XFRT_OK) << gpu.message();
  }
  EXPECT_EQ(deviceSum.values(), std::vector<float>(6, 2));
}

TEST_F(CallersStream, AKernelThatFailsLaterIsTheAnswerOfALaterCall) {
  Gpu gpu(options());
  Array<float> x({2, 3}, 1), sum({2, 3}, -1);
  DeviceArray<float> deviceX(x);
  {
    DeviceArray<float> deviceSum(sum);
    settings.fail("kernel", "1", 700);
    EXPECT_EQ(gpu.call(Add, {deviceX.buffer(), deviceX.buffer()}, {deviceSum.buffer()}), XFRT_OK);
  }
  EXPECT_EQ(gpu.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_DEVICE_ERROR);
  EXPECT_EQ(sum.values, std::vector<float>(6, -1));
}

} // namespace
