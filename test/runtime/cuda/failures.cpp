//===- failures.cpp - Every function of the driver fails once -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A session makes a handle, calls entries in every way and ends it. It is run once for every call that it makes of a
// function of the driver, which then fails. Whatever fails, each function of the library either answers a status with a
// text and leaves the host's memory as it was, or has done what it should.
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpumodel;

namespace {

/// All that the runtime calls, and "kernel": the end of one.
const char *const entryPoints[] = {
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuFuncSetAttribute",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyDtoDAsync_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuMemAllocAsync",
    "cuMemFreeAsync",
    "cuStreamBeginCapture_v2",
    "cuStreamEndCapture",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphExecDestroy",
    "cuGraphDestroy",
    "kernel",
};

enum : int { invalidValue = 1, outOfMemory = 2, launchFailed = 719 };

/// What one session does, and what it checks of each answer.
class Session {
public:
  Session(Settings &settings, int failure, bool doneMayShow)
      : settings(settings), failure(failure), doneMayShow(doneMayShow) {
    launches[0].shared_bytes = 64 * 1024;
    entry.launches = launches;
    entryTable.assign(entries, entries + EntryCount);
    entryTable[Add] = entry;
    model.table.entries = entryTable.data();
  }

  /// True when every function did what it should, as it does without a failure. With a healthy end the driver works
  /// again after the calls.
  bool run(bool healthyEnd) {
    xfrt_options options = onGpu(XFRT_HOLD_PARAMETERS);
    xfrt_context *made = nullptr;
    if (!good(xfrt_create(&model.table, &options, &made), nullptr))
      return made == nullptr ? false : (ADD_FAILURE(), false);
    context = made;
    callAll();
    if (healthyEnd) {
      settings.heal();
      checkHealthy();
    }
    xfrt_destroy(context);
    return allGood;
  }

private:
  void callAll() {
    Array<float> x({2, 3}, 1);
    for (int64_t rows : {2, 2, 2, 3}) {
      Array<float> deep({rows, 8}, 2), deeper({rows, 8}, -1);
      call(Chain, {deep.buffer()}, deeper, 4);
    }
    Array<float> sum({2, 3}, -1), w({4}, 1), g({4}, 1), y({4}, -1), table({5}, 3), output({2}, -1);
    Array<int32_t> index({2}, 1);
    call(Add, {x.buffer(), x.buffer()}, sum, 2);
    call(Gather, {table.buffer(), index.buffer()}, output, 3);
    call(Scale, {w.buffer()}, y, 2);
    updates(w, g);
    float now = w.values[0];
    y.values.assign(4, -1);
    call(Scale, {w.buffer()}, y, 2 * now);
    good(xfrt_fetch_parameters(context), context);
    copyThere(sum);
  }

  /// Memory of the device that the caller asks for.
  void copyThere(Array<float> &from) {
    Array<float> to(from.shape, -1);
    xfrt_buffer host = from.buffer(), first = from.buffer(), second = from.buffer(), back = to.buffer();
    first.data = second.data = nullptr;
    if (good(xfrt_buffer_allocate(context, &first), context) && good(xfrt_buffer_allocate(context, &second), context) &&
        good(xfrt_buffer_copy(context, &host, &first), context) &&
        good(xfrt_buffer_copy(context, &first, &second), context) &&
        good(xfrt_buffer_copy(context, &second, &back), context))
      EXPECT_EQ(to.values, from.values);
    xfrt_buffer_release(context, &first);
    xfrt_buffer_release(context, &second);
  }

  void call(Entry entry, std::vector<xfrt_buffer> arguments, Array<float> &result, float expected) {
    xfrt_buffer view = result.buffer();
    std::vector<float> before = result.values, done(before.size(), expected);
    if (good(xfrt_call(context, entry, arguments.data(), int32_t(arguments.size()), &view, 1), context))
      EXPECT_EQ(result.values, done);
    else
      EXPECT_TRUE(result.values == before || (doneMayShow && result.values == done));
    EXPECT_EQ(xfSimCurrent(), nullptr);
  }

  void updates(Array<float> &w, Array<float> &g) {
    xfrt_buffer arguments[] = {w.buffer(), g.buffer()}, result{};
    std::vector<float> before = w.values, done(4, 0.5f);
    if (good(xfrt_call(context, Step, arguments, 2, &result, 1), context))
      EXPECT_EQ(w.values, done);
    else
      EXPECT_TRUE(w.values == before || (doneMayShow && w.values == done));
  }

  /// Whether the function succeeded. A failure must be the one that was asked for, with a text that says so.
  bool good(xfrt_status status, const xfrt_context *of) {
    if (status == XFRT_OK)
      return true;
    allGood = false;
    std::string text = xfrt_message(of);
    EXPECT_TRUE(text.find("CUDA_ERROR_") != std::string::npos) << text;
    if (failure == launchFailed && of)
      EXPECT_EQ(status, XFRT_DEVICE_ERROR) << text;
    else if (failure == outOfMemory && of)
      EXPECT_EQ(status, XFRT_OUT_OF_MEMORY) << text;
    else
      EXPECT_GE(status, failure == outOfMemory ? XFRT_OUT_OF_MEMORY : XFRT_NO_DRIVER) << text;
    isLost |= status == XFRT_DEVICE_ERROR;
    return false;
  }

  /// With a driver that works again a handle does so too, unless its context is lost.
  void checkHealthy() {
    Array<float> x({2, 3}, 1), sum({2, 3}, -1);
    xfrt_buffer arguments[] = {x.buffer(), x.buffer()}, result = sum.buffer();
    xfrt_status status = xfrt_call(context, Add, arguments, 2, &result, 1);
    EXPECT_EQ(status, isLost ? XFRT_DEVICE_ERROR : status) << xfrt_message(context);
    if (failure != launchFailed)
      EXPECT_EQ(status, XFRT_OK) << xfrt_message(context);
    EXPECT_EQ(sum.values, std::vector<float>(6, status ? -1 : 2));
  }

  Settings &settings;
  const int failure;
  const bool doneMayShow; ///< the copy of a result may be done although the function that fails comes after it
  Model model;
  xfrt_launch launches[1] = {addLaunches[0]};
  xfrt_entry entry = entries[Add];
  std::vector<xfrt_entry> entryTable;
  xfrt_context *context = nullptr;
  bool allGood = true, isLost = false;
};

class Failures : public OnGpu {
protected:
  /// Runs sessions in which the n-th call of each function fails, for every n that a session reaches.
  void failEach(int failure) {
    for (const char *entryPoint : entryPoints)
      if (strcmp(entryPoint, "kernel") != 0 || failure == launchFailed)
        failEvery(entryPoint, failure);
  }

  void failEvery(const std::string &entryPoint, int failure) {
    bool reached = true;
    for (int n = 1; reached; ++n) {
      SCOPED_TRACE(entryPoint + ", call " + std::to_string(n) + ", error " + std::to_string(failure));
      settings.fail(entryPoint, std::to_string(n), failure);
      bool allGood = Session(settings, failure, entryPoint == "cuStreamSynchronize").run(/*healthyEnd=*/false);
      reached = xfSimCalls(entryPoint.c_str()) >= n;
      EXPECT_TRUE(reached || allGood);
      expectNothingLeft(entryPoint);
      settings.fail(entryPoint, std::to_string(n), failure);
      Session(settings, failure, entryPoint == "cuStreamSynchronize").run(/*healthyEnd=*/true);
      expectNothingLeft(entryPoint);
      ASSERT_LT(n, 1000);
    }
  }

  void expectNothingLeft(const std::string &entryPoint) {
    // Without a current context nothing can be given back; the end of the context takes it.
    if (entryPoint != "cuCtxPushCurrent_v2")
      EXPECT_EQ(xfSimLeaks(), 0);
    EXPECT_EQ(xfSimUsedBytes(), 0u);
    EXPECT_EQ(xfSimCurrent(), nullptr);
    settings.heal();
  }
};

TEST_F(Failures, InvalidValue) { failEach(invalidValue); }
TEST_F(Failures, OutOfMemory) { failEach(outOfMemory); }
TEST_F(Failures, LaunchFailed) { failEach(launchFailed); }

class FailuresWithoutPools : public Failures {
protected:
  FailuresWithoutPools() { settings.set("XF_SIM_POOLS", "0"); }
};

TEST_F(FailuresWithoutPools, InvalidValue) { failEach(invalidValue); }
TEST_F(FailuresWithoutPools, OutOfMemory) { failEach(outOfMemory); }
TEST_F(FailuresWithoutPools, LaunchFailed) { failEach(launchFailed); }

/// The list above is complete, and a session reaches all of it.
TEST_F(Failures, EverySessionCallsEveryFunction) {
  std::map<std::string, int> calls;
  for (const char *pools : {"0", "1"}) {
    settings.set("XF_SIM_POOLS", pools);
    EXPECT_TRUE(Session(settings, 0, false).run(/*healthyEnd=*/false));
    for (const char *entryPoint : entryPoints)
      calls[entryPoint] += xfSimCalls(entryPoint);
  }
  for (const char *entryPoint : entryPoints)
    EXPECT_GT(calls[entryPoint], 0) << entryPoint;
}

/// The driver works in the process that started it alone: a child touches nothing of its parent's.
TEST_F(Failures, ChildOfFork) {
  Gpu gpu;
  Array<float> x({2, 3}, 1), y({2, 3}, 2), sum({2, 3});
  ASSERT_EQ(gpu.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK) << gpu.message();
  const pid_t child = fork();
  if (child == 0) {
    for (const char *entryPoint : entryPoints)
      settings.fail(entryPoint, "*", invalidValue); // no function of the driver is asked
    xfrt_buffer buffer = sum.buffer();
    int failed = gpu.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}) != XFRT_FORKED;
    failed |= 2 * (gpu.message() != "expected a handle of this process, got one of its parent, whose driver does not "
                                    "work in a child of fork");
    failed |= 4 * (xfrt_reserve(gpu.context, Add, nullptr, 0) != XFRT_FORKED);
    failed |= 8 * (xfrt_buffer_allocate(gpu.context, &buffer) != XFRT_FORKED);
    failed |= 16 * (xfrt_fetch_parameters(gpu.context) != XFRT_FORKED);
    xfrt_destroy(gpu.context);
    xfrt_context *own = nullptr;
    xfrt_options options = onGpu();
    failed |= 32 * (xfrt_create(&gpu.model.table, &options, &own) != XFRT_NO_DRIVER);
    failed |= 64 * (std::string(xfrt_message(nullptr)).find("child of fork") == std::string::npos);
    for (const char *entryPoint : entryPoints)
      failed |= 128 * (xfSimCalls(entryPoint) > 0);
    _exit(failed);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(gpu.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK) << gpu.message();
}

} // namespace
