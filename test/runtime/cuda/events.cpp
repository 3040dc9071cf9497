//===- events.cpp - Traces and profiles of GPUs ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace gpumodel;
using nlohmann::json;

namespace {

class Events : public OnGpu {
protected:
  Events() : path(testing::TempDir() + "events" + std::to_string(getpid()) + ".json") {}
  ~Events() override { unlink(path.c_str()); }

  /// Reads the file that a handle has written. The first handle of a process writes to the name itself, handle n to
  /// NAME.n.
  json read() {
    for (int n = 1; n < 100; ++n) {
      std::string name = n == 1 ? path : path + "." + std::to_string(n);
      std::ifstream file(name);
      if (!file)
        continue;
      std::string text{std::istreambuf_iterator<char>(file), {}};
      unlink(name.c_str());
      return json::parse(text);
    }
    ADD_FAILURE() << "no file";
    return {};
  }

  static void chain(Gpu &gpu, int calls) {
    Array<float> x({5, 8}, 1), y({5, 8});
    for (int i = 0; i < calls; ++i)
      ASSERT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
  }

  std::string path;
};

TEST_F(Events, ATraceHasLaunchesWithinTheirCalls) {
  settings.set("XFRT_TRACE", path);
  std::string entry, first;
  {
    Gpu gpu;
    ASSERT_EQ(gpu.status, XFRT_OK) << xfrt_message(nullptr);
    entry = gpu.model.table.entries[Chain].name;
    first = gpu.model.table.entries[Chain].launches[0].name;
    chain(gpu, 3);
  }
  EXPECT_EQ(xfSimCalls("cuGraphLaunch"), 0); // each launch has events of its own
  EXPECT_EQ(xfSimCalls("cuEventCreate"), xfSimCalls("cuEventDestroy_v2"));
  double begin = 0, end = -1, last = 0;
  int calls = 0, launches = 0;
  json trace = read();
  // A call is recorded when it ends, behind its launches.
  std::vector<json> pending;
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] != "X")
      continue;
    if (event["cat"] == "launch") {
      pending.push_back(event);
      ++launches;
      continue;
    }
    ++calls;
    EXPECT_EQ(event["name"], entry);
    begin = event["ts"];
    end = begin + event["dur"].get<double>();
    ASSERT_EQ(pending.size(), 2u);
    EXPECT_EQ(pending[0]["name"], first);
    last = begin;
    for (const json &launch : pending) {
      EXPECT_GE(launch["args"]["tiles"], 1);
      EXPECT_GE(launch["ts"].get<double>(), last - 1); // microseconds, of which floats of milliseconds lose some
      last = launch["ts"].get<double>() + launch["dur"].get<double>();
    }
    EXPECT_LE(last, end + 1);
    pending.clear();
  }
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(launches, 6);
  for (const json &event : trace["traceEvents"])
    EXPECT_NE(event["name"], "peak"); // of a GPU nothing measures it
}

TEST_F(Events, AProfileAddsUp) {
  settings.set("XFRT_PROFILE", path);
  {
    Gpu gpu;
    chain(gpu, 4);
  }
  json profile = read();
  EXPECT_EQ(profile["threads"], 0);
  EXPECT_FALSE(profile.contains("peak_gflops"));
  ASSERT_EQ(profile["entries"].size(), 1u);
  const json &entry = profile["entries"][0];
  EXPECT_EQ(entry["calls"], 4);
  int64_t runs = 0, nanoseconds = 0;
  for (const json &step : entry["steps"]) {
    runs += step["runs"].get<int64_t>();
    nanoseconds += step["nanoseconds"].get<int64_t>();
  }
  EXPECT_EQ(runs, 8);
  EXPECT_GT(nanoseconds, 0);
  EXPECT_LE(nanoseconds, entry["nanoseconds"]);
}

/// Calls after the file is written have no events, and run as graphs again.
TEST_F(Events, EndWithTheFile) {
  settings.set("XFRT_TRACE", path);
  {
    Gpu gpu;
    chain(gpu, 1);
    ASSERT_EQ(xfrt_write_records(gpu.context), XFRT_OK) << gpu.message();
    const int before = xfSimCalls("cuEventRecord");
    chain(gpu, 3);
    EXPECT_EQ(xfSimCalls("cuEventRecord"), before);
    EXPECT_GT(xfSimCalls("cuGraphLaunch"), 0);
  }
  read();
}

TEST_F(Events, AGivenPeakCounts) {
  settings.set("XFRT_PROFILE", path);
  settings.set("XFRT_PEAK", "1000");
  {
    Gpu gpu;
    chain(gpu, 1);
  }
  json profile = read();
  EXPECT_EQ(profile["peak_gflops"], 1000);
  EXPECT_EQ(profile["peak_is_measured"], false);
}

TEST_F(Events, AFileThatCannotBeWritten) {
  settings.set("XFRT_TRACE", "/no/such/folder/trace.json");
  Gpu gpu;
  EXPECT_EQ(gpu.status, XFRT_IO_ERROR);
  EXPECT_EQ(std::string(xfrt_message(nullptr)), "expected to write the file of XFRT_TRACE, "
                                                "'/no/such/folder/trace.json': No such file or directory");
}

TEST_F(Events, AnEventThatFailsFailsTheCallOrTheHandle) {
  settings.set("XFRT_PROFILE", path);
  settings.fail("cuEventCreate", "2", 999);
  {
    Gpu gpu;
    EXPECT_EQ(gpu.status, XFRT_DEVICE_ERROR);
    EXPECT_NE(std::string(xfrt_message(nullptr)).find("cuEventCreate"), std::string::npos);
  }
  read();
  for (const char *function : {"cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"}) {
    settings.fail(function, "1", 1);
    {
      Gpu gpu;
      ASSERT_EQ(gpu.status, XFRT_OK) << xfrt_message(nullptr);
      Array<float> x({5, 8}, 1), y({5, 8});
      EXPECT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_DRIVER_ERROR);
      EXPECT_NE(gpu.message().find(function), std::string::npos) << gpu.message();
      EXPECT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
    }
    read();
  }
}

/// A caller that records the stream waits for nothing: its calls have no events.
TEST_F(Events, ARecordingHasNone) {
  settings.set("XFRT_TRACE", path);
  Current current;
  void *stream = nullptr, *graph = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
  xfrt_options options = onGpu();
  options.stream = stream;
  {
    Gpu gpu(options);
    Array<float> x({3, 8}, 2), y({3, 8}, -1);
    DeviceArray<float> deviceX(x), deviceY(y);
    auto call = [&] { return gpu.call(Chain, {deviceX.buffer()}, {deviceY.buffer()}); };
    ASSERT_EQ(call(), XFRT_OK) << gpu.message();
    int before = xfSimCalls("cuEventRecord");
    EXPECT_GT(before, 0);
    ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
    EXPECT_EQ(call(), XFRT_OK) << gpu.message();
    ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
    EXPECT_EQ(xfSimCalls("cuEventRecord"), before);
    EXPECT_EQ(cuGraphDestroy(graph), 0);
  }
  EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
  read();
}

} // namespace
