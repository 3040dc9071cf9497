//===- memory.cpp - Memory that the library allocates for callers ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <numeric>

using namespace gpumodel;

namespace {

using Memory = OnGpu;

/// x twice, through memory of the handle's device: the host, the device, there again and back.
void expectCopies(xfrt_context *context, int32_t device) {
  Array<float> x({2, 3}), y({2, 3}, -1);
  std::iota(x.values.begin(), x.values.end(), 1.0f);
  xfrt_buffer host = x.buffer(), first = x.buffer(), second = x.buffer(), back = y.buffer();
  ASSERT_EQ(xfrt_buffer_allocate(context, &first), XFRT_OK) << xfrt_message(context);
  ASSERT_EQ(xfrt_buffer_allocate(context, &second), XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(first.device, device);
  EXPECT_EQ(xfrt_buffer_copy(context, &host, &first), XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(xfrt_buffer_copy(context, &first, &second), XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(xfrt_buffer_copy(context, &second, &back), XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(y.values, x.values);
  xfrt_buffer_release(context, &first);
  xfrt_buffer_release(context, &second);
  EXPECT_EQ(first.data, nullptr);
  xfrt_buffer_release(context, &first);
  xfrt_buffer_release(context, nullptr);
}

TEST_F(Memory, CopiesInEveryDirection) {
  Gpu gpu;
  expectCopies(gpu.context, XFRT_CUDA);
  expectCopies(testmodel::Handle(1).context, XFRT_CPU);
}

TEST_F(Memory, ServesAsArgumentsAndResults) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), y({2, 3}, -1);
  xfrt_buffer host = x.buffer(), in = x.buffer(), out = x.buffer(), back = y.buffer();
  ASSERT_EQ(xfrt_buffer_allocate(gpu.context, &in) + xfrt_buffer_allocate(gpu.context, &out), XFRT_OK);
  ASSERT_EQ(xfrt_buffer_copy(gpu.context, &host, &in), XFRT_OK);
  ASSERT_EQ(gpu.call(Add, {in, in}, {out}), XFRT_OK) << gpu.message();
  ASSERT_EQ(xfrt_buffer_copy(gpu.context, &out, &back), XFRT_OK);
  EXPECT_EQ(y.values, std::vector<float>(6, 2));
  xfrt_buffer_release(gpu.context, &in);
  xfrt_buffer_release(gpu.context, &out);
}

TEST_F(Memory, EmptyTensorsNeedNone) {
  Gpu gpu;
  Array<float> nothing({0, 3});
  xfrt_buffer buffer = nothing.buffer();
  buffer.data = &buffer;
  ASSERT_EQ(xfrt_buffer_allocate(gpu.context, &buffer), XFRT_OK);
  EXPECT_EQ(buffer.data, nullptr);
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &buffer, &buffer), XFRT_OK);
}

TEST_F(Memory, RefusesWhatCannotBeCopied) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), other({3, 2}, 1);
  Array<double> wide({2, 3}, 1);
  xfrt_buffer a = x.buffer(), shape = other.buffer(), type = wide.buffer(), overlapping = x.buffer();
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &a, &shape), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "expected buffers of the same type and shape, got f32 of 2x3 and f32 of 3x2");
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &a, &type), XFRT_BAD_BUFFER);
  overlapping.data = &x.values[1];
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &a, &overlapping), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "expected separate memory, but the buffers overlap");
  xfrt_buffer elsewhere = wide.buffer(), strided = wide.buffer(), none = wide.buffer();
  elsewhere.device = 2;
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &elsewhere, &type), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "expected memory of the host or of the handle's GPU, got device 2");
  strided.strides = strided.shape;
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &strided, &type), XFRT_BAD_BUFFER);
  none.data = nullptr;
  EXPECT_EQ(xfrt_buffer_copy(gpu.context, &type, &none), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "expected 48 bytes of data, got a null pointer");
  EXPECT_EQ(xfrt_buffer_copy(nullptr, &a, &a), XFRT_INVALID_ARGUMENT);
  testmodel::Handle cpu(1);
  a.device = XFRT_CUDA;
  EXPECT_EQ(xfrt_buffer_copy(cpu.context, &a, &overlapping), XFRT_BAD_BUFFER);
}

TEST_F(Memory, RefusesWhatCannotBeAllocated) {
  Gpu gpu;
  Array<float> x({2, 3}, 1);
  xfrt_buffer buffer = x.buffer();
  buffer.dtype = 9;
  EXPECT_EQ(xfrt_buffer_allocate(gpu.context, &buffer), XFRT_BAD_BUFFER);
  EXPECT_EQ(gpu.message(), "expected a buffer with a type and a shape below 2^63 bytes, got unknown of 2x3");
  const int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40}, large[] = {int64_t(1) << 40, 1}, negative[] = {-1, 1};
  for (const int64_t *shape : {huge, negative}) {
    buffer = x.buffer();
    buffer.shape = shape;
    EXPECT_EQ(xfrt_buffer_allocate(gpu.context, &buffer), XFRT_BAD_BUFFER);
    EXPECT_EQ(buffer.data, x.values.data());
  }
  buffer.shape = large;
  EXPECT_EQ(xfrt_buffer_allocate(gpu.context, &buffer), XFRT_OUT_OF_MEMORY);
  EXPECT_EQ(xfrt_buffer_allocate(gpu.context, nullptr), XFRT_INVALID_ARGUMENT);
}

} // namespace
