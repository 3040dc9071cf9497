//===- simulator.cpp - What the simulated driver notices ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests of the runtime rest on it: what it lets pass they cannot see.
//
//===----------------------------------------------------------------------===//

#include "test/runtime/cuda/OnGpu.h"

#include <optional>

using namespace gpumodel;

extern "C" {
int cuMemAllocAsync(uint64_t *, size_t, void *);
int cuMemFreeAsync(uint64_t, void *);
int cuDeviceGetAttribute(int *, int, int);
int cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **);
int cuModuleUnload(void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                   void **);
}

namespace {

enum : int { invalidValue = 1, invalidContext = 201, launchFailed = 719, captureUnsupported = 900 };

class Simulator : public testing::Test {
protected:
  void open() {
    current.emplace();
    ASSERT_EQ(cuStreamCreate(&stream, 1) + cuMemAlloc_v2(&address, 64), 0);
  }
  void close() {
    EXPECT_EQ(cuMemFree_v2(address) + cuStreamDestroy_v2(stream), 0);
    current.reset();
  }
  Settings settings;
  std::optional<Current> current;
  void *stream = nullptr;
  uint64_t address = 0;
};

TEST_F(Simulator, WhatIsNotGivenBackIsALeak) {
  open();
  EXPECT_EQ(xfSimLeaks(), 1); // the context
  EXPECT_EQ(xfSimUsedBytes(), 64u);
  close();
  EXPECT_EQ(xfSimLeaks(), 0);
  open();
  current.reset();
  EXPECT_EQ(xfSimLeaks(), 2); // the memory and the stream
  open();
  void *module = nullptr;
  EXPECT_EQ(cuModuleLoadDataEx(&module, image("sm_80").c_str(), 0, nullptr, nullptr), 0);
  close();
  EXPECT_EQ(xfSimLeaks(), 3);
}

/// Shared memory of a block and of a multiprocessor in KB, multiprocessors of a common model, registers.
TEST_F(Simulator, LimitsAreThoseOfTheCapability) {
  auto attribute = [](int number) {
    int value = -1;
    EXPECT_EQ(cuInit(0) + cuDeviceGetAttribute(&value, number, 0), 0);
    return value;
  };
  struct Expected {
    const char *capability;
    int block, processor, processors;
  };
  for (auto [capability, block, processor, processors] : {Expected{"8.0", 163, 164, 108},
                                                          {"8.6", 99, 100, 84},
                                                          {"8.9", 99, 100, 142},
                                                          {"9.0", 227, 228, 132},
                                                          {"10.0", 227, 228, 148},
                                                          {"10.3", 227, 228, 148},
                                                          {"12.0", 99, 100, 170}}) {
    settings.set("XF_SIM_CAPABILITY", capability);
    EXPECT_EQ(attribute(97), block * 1024) << capability;
    EXPECT_EQ(attribute(81), processor * 1024) << capability;
    EXPECT_EQ(attribute(16), 4) << capability; // few, so that tests are quick
    settings.set("XF_SIM_PROCESSORS", "0");
    EXPECT_EQ(attribute(16), processors) << capability;
    settings.set("XF_SIM_PROCESSORS", "");
    EXPECT_EQ(attribute(12), 65536);
    EXPECT_EQ(attribute(82), 65536);
  }
}

TEST_F(Simulator, WorkIsDoneWhenSomethingWaits) {
  open();
  int value = 1, back = -1;
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, &value, 4, stream), 0);
  value = 2;
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&back, address, 4, stream), 0);
  EXPECT_EQ(back, -1);
  EXPECT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_EQ(back, 2);
  close();
}

TEST_F(Simulator, BytesThatNobodyWroteAreNotCopiedToTheHost) {
  open();
  int back = -1;
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&back, address, 4, stream), 0);
  testing::internal::CaptureStderr();
  EXPECT_NE(cuStreamSynchronize(stream), 0);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("expected 4 bytes that were written"), std::string::npos);
  EXPECT_EQ(back, -1);
  current.reset();
}

TEST_F(Simulator, CopiesOutsideOfAllocationsAreRefused) {
  open();
  int values[32] = {};
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, values, 65, stream), invalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(address - 4, values, 4, stream), invalidValue);
  EXPECT_EQ(cuMemFree_v2(address + 4), invalidValue);
  close();
}

TEST_F(Simulator, NothingWorksWithoutAContext) {
  EXPECT_EQ(cuInit(0), 0);
  EXPECT_EQ(cuMemAlloc_v2(&address, 64), invalidContext);
  open();
  close();
  EXPECT_EQ(cuStreamCreate(&stream, 1), invalidContext);
}

TEST_F(Simulator, AFailedKernelIsTheAnswerToEverything) {
  open();
  settings.fail("kernel", "1", launchFailed);
  void *module = nullptr, *function = nullptr;
  uint64_t columns = 4, tiles = 1;
  void *parameters[] = {&columns, &address, &address, &tiles};
  ASSERT_EQ(cuModuleLoadDataEx(&module, image("sm_80").c_str(), 0, nullptr, nullptr), 0);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "copy"), 0);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), launchFailed);
  EXPECT_EQ(cuMemAlloc_v2(&address, 64), launchFailed);
  EXPECT_EQ(cuMemFree_v2(address), launchFailed);
  current.reset();
  EXPECT_EQ(xfSimLeaks(), 0); // nobody can give anything back
}

TEST_F(Simulator, AModuleStaysUntilItsKernelsHaveRun) {
  open();
  void *module = nullptr, *function = nullptr;
  uint64_t columns = 0, tiles = 1;
  void *parameters[] = {&columns, &address, &address, &tiles};
  ASSERT_EQ(cuModuleLoadDataEx(&module, image("sm_80").c_str(), 0, nullptr, nullptr), 0);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "copy"), 0);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuModuleUnload(module), launchFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a launch of copy has not run yet"), std::string::npos);
  current.reset();
}

TEST_F(Simulator, LaunchesBeyondTheDevicesLimits) {
  open();
  void *module = nullptr, *function = nullptr;
  uint64_t columns = 0, tiles = 1;
  void *parameters[] = {&columns, &address, &address, &tiles};
  ASSERT_EQ(cuModuleLoadDataEx(&module, image("sm_80").c_str(), 0, nullptr, nullptr), 0);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "copy"), 0);
  EXPECT_EQ(cuLaunchKernel(function, 0, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr), invalidValue);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, stream, parameters, nullptr), invalidValue);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 48 * 1024 + 1, stream, parameters, nullptr), invalidValue);
  EXPECT_EQ(cuModuleUnload(module), 0);
  close();
}

TEST_F(Simulator, RecordingsHoldLaunchesAndCopiesOnTheDevice) {
  open();
  void *graph = nullptr;
  int value = 1;
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, &value, 4, stream), captureUnsupported);
  EXPECT_NE(cuStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), captureUnsupported);
  EXPECT_NE(cuStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(address, address + 4, 4, stream), 0);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph) + cuGraphDestroy(graph), 0);
  close();
}

/// Memory of a pool may be used until the stream has come to its end.
TEST_F(Simulator, PoolsGiveBackInTheOrderOfTheStream) {
  open();
  uint64_t pooled = 0;
  int value = 7, back = -1;
  ASSERT_EQ(cuMemAllocAsync(&pooled, 16, stream), 0);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(pooled, &value, 4, stream), 0);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&back, pooled, 4, stream), 0);
  EXPECT_EQ(cuMemFreeAsync(pooled, stream), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_EQ(back, 7);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&back, pooled, 4, stream), invalidValue);
  close();
}

TEST_F(Simulator, FailsTheCallThatItIsToldTo) {
  open();
  settings.set("XF_SIM_FAIL", "cuMemAlloc_v2:2:2,cuStreamCreate:*:1");
  uint64_t first = 0, second = 0, third = 0;
  void *other = nullptr;
  EXPECT_EQ(cuMemAlloc_v2(&first, 8), 0);
  EXPECT_EQ(cuMemAlloc_v2(&second, 8), 2);
  EXPECT_EQ(cuMemAlloc_v2(&third, 8), 0);
  EXPECT_EQ(cuStreamCreate(&other, 1) + cuStreamCreate(&other, 1), 2);
  EXPECT_EQ(xfSimCalls("cuMemAlloc_v2"), 3);
  settings.heal();
  EXPECT_EQ(xfSimCalls("cuMemAlloc_v2"), 0);
  EXPECT_EQ(cuMemFree_v2(first) + cuMemFree_v2(third), 0);
  close();
}

} // namespace
