//===- graphs.cpp - Launches that a GPU's driver replays ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

using namespace gpumodel;

namespace {

class Graphs : public OnGpu {
protected:
  /// Calls `chain`, which has two kernels, and checks what it computes.
  void chain(Gpu &gpu, int64_t rows, float value) {
    Array<float> x({rows, 8}, value), y({rows, 8}, -1);
    ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
    EXPECT_EQ(y.values, std::vector<float>(size_t(rows) * 8, value * value * value / 2));
    EXPECT_EQ(gpu.message(), "");
  }
  int launches() { return xfSimCalls("cuLaunchKernel"); }
  int replays() { return xfSimCalls("cuGraphLaunch"); }
};

TEST_F(Graphs, TheSecondCallRecordsAndLaterOnesReplay) {
  Gpu gpu;
  int64_t rows = 5;
  chain(gpu, rows, 1);
  EXPECT_EQ(launches(), 2);
  EXPECT_EQ(replays(), 0);
  for (int i = 2; i < 6; ++i)
    chain(gpu, rows, float(i));
  EXPECT_EQ(launches(), 4);
  EXPECT_EQ(replays(), 4);
}

TEST_F(Graphs, OtherSizesAreRecordedAnew) {
  Gpu gpu;
  int64_t most = 7;
  ASSERT_EQ(xfrt_reserve(gpu.context, Chain, &most, 1), XFRT_OK);
  for (int64_t rows : {7, 7, 7, 5, 5, 5, 7, 5, 7, 7})
    chain(gpu, rows, float(rows));
  EXPECT_EQ(replays(), 5);
  EXPECT_EQ(xfSimCalls("cuGraphInstantiateWithFlags"), 3);
}

TEST_F(Graphs, CopiesAreRecordedWithLaunches) {
  Gpu gpu;
  for (int i = 1; i < 6; ++i) {
    Array<float> x({5, 8}, float(i)), y({5, 8}, -1), z({5, 8}, -1);
    ASSERT_EQ(gpu.call(Keep, {x.buffer()}, {y.buffer(), z.buffer()}), XFRT_OK) << gpu.message();
    EXPECT_EQ(y.values, std::vector<float>(40, float(i * i * i)));
    EXPECT_EQ(z.values, y.values);
  }
  EXPECT_EQ(launches(), 2);
  EXPECT_EQ(xfSimCalls("cuMemcpyDtoDAsync_v2"), 4);
  EXPECT_EQ(replays(), 4);
}

/// The arena of another entry's call may take the place of the one that was recorded.
TEST_F(Graphs, MemoryThatMovesIsRecordedAnew) {
  Current current;
  Gpu gpu;
  Array<float> x({3, 8}, 2), y({3, 8}, -1);
  DeviceArray<float> deviceX(x), deviceY(y);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(gpu.call(Chain, {deviceX.buffer()}, {deviceY.buffer()}), XFRT_OK);
  EXPECT_EQ(replays(), 2);
  int64_t more = 1000;
  ASSERT_EQ(xfrt_reserve(gpu.context, Chain, &more, 1), XFRT_OK);
  ASSERT_EQ(gpu.call(Chain, {deviceX.buffer()}, {deviceY.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(replays(), 2);
  EXPECT_EQ(deviceY.values(), std::vector<float>(24, 4));
}

TEST_F(Graphs, OneKernelIsLaunchedAsItIs) {
  Gpu gpu;
  Array<float> x({4}, 1), y({4});
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(gpu.call(Shift, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(launches(), 4);
  EXPECT_EQ(xfSimCalls("cuStreamBeginCapture_v2"), 0);
}

TEST_F(Graphs, ADriverThatRefusesIsNotAskedAgain) {
  for (const char *entryPoint : {"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags"}) {
    settings.fail(entryPoint, "*", 801);
    Gpu gpu;
    for (int i = 1; i < 6; ++i)
      chain(gpu, 3, float(i));
    EXPECT_EQ(xfSimCalls(entryPoint), 1);
    EXPECT_EQ(replays(), 0);
  }
}

/// A caller that records its own graph of calls must not find ours in it.
TEST_F(Graphs, TheCallersOwnRecordingIsLeftAlone) {
  Current current;
  void *stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
  xfrt_options options = onGpu();
  options.stream = stream;
  {
    Gpu gpu(options);
    Array<float> x({3, 8}, 2), y({3, 8}, -1);
    DeviceArray<float> deviceX(x), deviceY(y);
    Array<float> table({5}, 3), output({3}, -1);
    Array<int32_t> index({3}, 1);
    DeviceArray<float> deviceTable(table), deviceOutput(output);
    DeviceArray<int32_t> deviceIndex(index);
    auto call = [&] { return gpu.call(Chain, {deviceX.buffer()}, {deviceY.buffer()}); };
    ASSERT_EQ(call(), XFRT_OK);
    EXPECT_EQ(cuStreamSynchronize(stream), 0);
    settings.set("XF_SIM_DEVICES", "1"); // counts anew
    void *graph = nullptr, *exec = nullptr;
    ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
    EXPECT_EQ(call(), XFRT_OK) << gpu.message();
    EXPECT_EQ(call(), XFRT_OK) << gpu.message();
    // What cannot be recorded is refused before the driver hears of it.
    int64_t more = 1000;
    EXPECT_EQ(gpu.call(Chain, {x.buffer()}, {deviceY.buffer()}), XFRT_INVALID_ARGUMENT);
    EXPECT_EQ(gpu.message(), "entry 'chain': expected buffers in the memory of the GPU, no integers to check, and "
                             "xfrt_reserve or a call like this before, while the caller records the stream");
    EXPECT_EQ(gpu.call(Chain, {deviceX.buffer()}, {y.buffer()}), XFRT_INVALID_ARGUMENT);
    EXPECT_EQ(xfrt_reserve(gpu.context, Chain, &more, 1), XFRT_INVALID_ARGUMENT);
    EXPECT_EQ(gpu.call(Gather, {deviceTable.buffer(), deviceIndex.buffer()}, {deviceOutput.buffer()}),
              XFRT_INVALID_ARGUMENT);
    ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
    EXPECT_EQ(xfSimCalls("cuStreamBeginCapture_v2"), 1);
    EXPECT_EQ(launches(), 4);
    ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0) + cuGraphLaunch(exec, stream), 0);
    EXPECT_EQ(deviceY.values(), std::vector<float>(24, 4));
    EXPECT_EQ(cuStreamSynchronize(stream) + cuGraphExecDestroy(exec) + cuGraphDestroy(graph), 0);
  }
  EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
}

} // namespace
