//===- collectives.cpp - What ranks with GPUs send each other -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models of one collective on ranks that are threads, with one simulated GPU or one each: by the host, and by the
// plug-in for NCCL over a simulated one.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "test/ptx/driver/Simulator.h"
#include "test/ranks/RankModel.h"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

using namespace rankmodel;
using xfrt::NetworkOptions;

namespace {

constexpr int32_t data = 1, sequence = 2; // bits of axes

/// One rank's call by NCCL, on GPU `device`.
Answer callByNccl(const RankModel &of, const xfrt_communicator &host, int calls = 3, bool spoils = false,
                  int64_t timeout = 2000, int32_t device = 0) {
  xfrt_communicator gpus;
  Answer answer;
  if ((answer.status = xfrt_open_nccl(&host, device, timeout, &gpus)) != XFRT_OK) {
    answer.text = xfrt_message(nullptr);
    return answer;
  }
  EXPECT_EQ(gpus.rank, host.rank);
  EXPECT_EQ(gpus.size, host.size);
  answer = callOn(of, gpus, calls, spoils);
  gpus.close(&gpus);
  EXPECT_EQ(gpus.start, nullptr);
  return answer;
}

/// What the simulated NCCL has counted in this process, or 0 where nothing has opened it.
int countOfNccl(const char *function) {
  void *simulated = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (!simulated)
    return 0;
  auto count = reinterpret_cast<int (*)()>(dlsym(simulated, function));
  EXPECT_NE(count, nullptr) << function;
  const int counted = count ? count() : 0;
  dlclose(simulated);
  return counted;
}

class GpuCollectives : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
    unsetenv("XF_SIM_NCCL_FAIL");
    unsetenv("XF_SIM_FAIL");
    xfSimReset();
  }
  void TearDown() override {
    EXPECT_EQ(xfSimLeaks(), 0);
    EXPECT_EQ(countOfNccl("xfSimNcclDestroyedEarly"), 0); // all were finalized before, or aborted
  }

  std::vector<Answer> callEach(RankModel &of, NetworkOptions options = {}) {
    of.moveToGpu();
    return callAll(
        of, [&](const xfrt_communicator &host) { return GetParam() ? callByNccl(of, host) : callOn(of, host, 3); },
        options);
  }
};
INSTANTIATE_TEST_SUITE_P(ByHost, GpuCollectives, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ByNccl, GpuCollectives, testing::Values(true));

TEST_P(GpuCollectives, GatherAlongADimension) {
  RankModel rows(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 24, 0}, 6, 12);
  for (const Answer &answer : callEach(rows))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105})) << answer.text;
  RankModel columns(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0},
                    {1, 24, 2, 12, 0}, 6, 12);
  for (const Answer &answer : callEach(columns))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105})) << answer.text;
}

TEST_P(GpuCollectives, TakeAndExchangeParts) {
  RankModel slices(2, 1, {XFRT_ALL_SLICE, data, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0}, 4,
                   2);
  std::vector<Answer> answers = callEach(slices);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2})) << answers[0].text;
  EXPECT_EQ(answers[1].y, (std::vector<float>{101, 103}));
  RankModel exchanges(2, 1, {XFRT_ALL_TO_ALL, data, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0},
                      4, 4);
  answers = callEach(exchanges);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2, 100, 102})) << answers[0].text;
  EXPECT_EQ(answers[1].y, (std::vector<float>{1, 3, 101, 103}));
  RankModel turned(2, 1, {XFRT_ALL_TO_ALL, data, XFRT_F32, 0, 1, 2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0}, 4,
                   4);
  answers = callEach(turned);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 100, 1, 101})) << answers[0].text;
  EXPECT_EQ(answers[1].y, (std::vector<float>{2, 102, 3, 103}));
}

/// Nothing to send is no message, but its header.
TEST_P(GpuCollectives, OfNoElements) {
  RankModel of(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0}, 0, 0);
  for (const Answer &answer : callEach(of))
    EXPECT_EQ(answer.status, XFRT_OK) << answer.text;
}

/// Of a mesh 2 x 3, along one axis or both, in the order of ranks whatever arrives first.
TEST_P(GpuCollectives, AmongTheAxesOfTheirGroup) {
  for (const char *seed : {"1", "2", "3", "4"}) {
    setenv("XF_SIM_NCCL_SEED", seed, 1);
    RankModel one(2, 3, {XFRT_ALL_GATHER, data, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 4);
    NetworkOptions options;
    options.seed = strtoull(seed, nullptr, 10);
    options.mostDelay = 100000;
    std::vector<Answer> answers = callEach(one, options);
    for (int rank = 0; rank < 6; ++rank) {
      const float first = float(rank % 3) * 100, second = first + 300;
      EXPECT_EQ(answers[size_t(rank)].y, (std::vector<float>{first, first + 1, second, second + 1}))
          << answers[size_t(rank)].text;
    }
    RankModel both(2, 3, {XFRT_ALL_GATHER, data | sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 4, 0},
                   1, 6);
    for (const Answer &answer : callEach(both, options))
      EXPECT_EQ(answer.y, (std::vector<float>{0, 100, 200, 300, 400, 500})) << answer.text;
  }
}

/// The runtime adds up what comes, through the host: objects of today have kernels for it.
TEST_P(GpuCollectives, SumThroughTheHost) {
  RankModel of(1, 3, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 2);
  for (const Answer &answer : callEach(of))
    EXPECT_EQ(answer.y, (std::vector<float>{300, 303})) << answer.text;
}

/// A rank whose driver fails while it sends goes on, and the others say which it was.
TEST_P(GpuCollectives, TellWhichDeviceFailed) {
  RankModel of(1, 3, {XFRT_ALL_TO_ALL, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0}, 6,
               6);
  setenv("XF_SIM_FAIL", GetParam() ? "cuMemcpy2DAsync_v2:1:1" : "cuMemcpyDtoHAsync_v2:1:1", 1);
  xfSimReset();
  int told = 0;
  for (const Answer &answer : callEach(of)) {
    EXPECT_EQ(answer.status, XFRT_DRIVER_ERROR) << answer.text;
    told +=
        answer.text.find("entry 'entry': rank ") == 0 && answer.text.find(" failed: driver_error") != std::string::npos;
  }
  EXPECT_EQ(told, 2);
}

TEST_P(GpuCollectives, TellWhichRankRefuses) {
  RankModel of(1, 3, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 6);
  of.moveToGpu();
  std::vector<Answer> answers = callAll(of, [&](const xfrt_communicator &host) {
    return GetParam() ? callByNccl(of, host, 1, host.rank == 1) : callOn(of, host, 1, host.rank == 1);
  });
  EXPECT_EQ(answers[1].text, "entry 'entry': argument 'x': expected f32, got f64");
  for (size_t rank : {0, 2})
    EXPECT_EQ(answers[rank].text, "entry 'entry': rank 1 failed: bad_buffer");
}

class Nccl : public GpuCollectives {};
INSTANTIATE_TEST_SUITE_P(ByNccl, Nccl, testing::Values(true));

/// Each rank with a GPU of its own.
TEST_P(Nccl, BetweenGpus) {
  setenv("XF_SIM_DEVICES", "3", 1);
  unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
  xfSimReset();
  RankModel of(1, 3, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 6);
  of.moveToGpu();
  for (const Answer &answer :
       callAll(of, [&](const xfrt_communicator &host) { return callByNccl(of, host, 3, false, 2000, host.rank); }))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 100, 101, 200, 201})) << answer.text;
  unsetenv("XF_SIM_DEVICES");
}

/// Messages of one GPU from kernels of another would be nobody's.
TEST_P(Nccl, OfAnotherGpu) {
  setenv("XF_SIM_DEVICES", "2", 1);
  xfSimReset();
  RankModel of(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 4);
  of.moveToGpu();
  std::vector<Answer> answers = callAll(of, [&](const xfrt_communicator &host) {
    xfrt_communicator gpus;
    Answer answer;
    EXPECT_EQ(xfrt_open_nccl(&host, 1, 2000, &gpus), XFRT_OK);
    xfrt_options options{};
    options.device = XFRT_CUDA;
    options.communicator = &gpus;
    xfrt_context *context = nullptr;
    answer.status = xfrt_create(&of.model, &options, &context);
    answer.text = xfrt_message(nullptr);
    gpus.close(&gpus);
    return answer;
  });
  for (const Answer &answer : answers) {
    EXPECT_EQ(answer.status, XFRT_INVALID_ARGUMENT);
    EXPECT_EQ(answer.text, "expected device 1, that of the communicator, got 0");
  }
  unsetenv("XF_SIM_DEVICES");
}

/// What never happens on one rank ends on all, within the limit of callOn and a second.
TEST_P(Nccl, RankThatNeverComes) {
  RankModel of(1, 3, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 6);
  setenv("XF_SIM_NCCL_FAIL", "lost:1:2", 1);
  const auto start = std::chrono::steady_clock::now();
  std::vector<Answer> answers = callEach(of);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)); // of a busy machine
  for (size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(answers[rank].status, XFRT_RANK_LOST) << answers[rank].text;
    const std::string others = rank == 0 ? "1, 2" : rank == 1 ? "0, 2" : "0, 1";
    EXPECT_EQ(answers[rank].text, "entry 'entry': rank " + std::to_string(rank) +
                                      ": all_gather: no end of messages with ranks " + others + " for 1000 ms");
  }
}

/// A communicator that is never finalized is aborted, within the limit of callByNccl.
TEST_P(Nccl, EndThatNeverComes) {
  RankModel of(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 4);
  setenv("XF_SIM_NCCL_FAIL", "finalize:1:3", 1);
  const int before = countOfNccl("xfSimNcclAborted");
  for (const Answer &answer : callEach(of))
    EXPECT_EQ(answer.status, XFRT_OK) << answer.text;
  EXPECT_EQ(countOfNccl("xfSimNcclAborted"), before + 1);
}

TEST_P(Nccl, ErrorOfTheNetwork) {
  RankModel of(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 4);
  setenv("XF_SIM_NCCL_FAIL", "error:1:1", 1);
  std::vector<Answer> answers = callEach(of);
  EXPECT_EQ(answers[1].status, XFRT_TRANSPORT_ERROR) << answers[1].text;
  EXPECT_NE(answers[1].text.find("remote process exited or there was a network error"), std::string::npos)
      << answers[1].text;
  EXPECT_EQ(answers[0].status, XFRT_RANK_LOST) << answers[0].text;
}

/// Two ranks on one GPU, which NCCL refuses unless it is told otherwise.
TEST_P(Nccl, OnOneGpu) {
  unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
  RankModel of(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 4);
  of.moveToGpu();
  std::vector<Answer> answers =
      callAll(of, [&](const xfrt_communicator &host) { return callByNccl(of, host, 1, false, 300); });
  int refused = 0, late = 0;
  for (const Answer &answer : answers) {
    refused += answer.status == XFRT_TRANSPORT_ERROR &&
               answer.text == "'libxfrt-nccl.so': ncclCommInitRankConfig: invalid usage";
    late += answer.status == XFRT_RANK_LOST &&
            answer.text == "'libxfrt-nccl.so': ncclCommInitRankConfig: not all ranks have come";
  }
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(late, 1);
}

/// A rank without the GPU that it asks for: all know, and none waits.
TEST_P(Nccl, WithoutADevice) {
  RankModel of(1, 3, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 8, 0}, 2, 6);
  of.moveToGpu();
  std::vector<Answer> answers = callAll(of, [&](const xfrt_communicator &host) {
    return callByNccl(of, host, 1, false, 600000, host.rank == 2 ? 7 : 0);
  });
  for (const Answer &answer : answers)
    EXPECT_EQ(answer.status, XFRT_TRANSPORT_ERROR) << answer.text;
  EXPECT_EQ(answers[0].text, "'libxfrt-nccl.so': rank 2 cannot start NCCL");
  EXPECT_EQ(answers[2].text, "'libxfrt-nccl.so': cuDeviceGet: error 101 of the CUDA driver");
}

/// A model whose entry has a kernel between the start of its collective and the wait.
struct OverlapModel : RankModel {
  OverlapModel()
      : RankModel(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 4, 0, 64},
                  4, 8),
        text(gpumodel::image("sm_80")) {
    moveToGpu();
    entry.step_count = 3;
    entry.steps = tables.steps = order;
    tables.steps_end = order + 3;
    entry.operands = tables.operands = places;
    tables.operands_end = places + 4;
    entry.scalars = tables.scalars = &columns;
    tables.scalars_end = &columns + 1;
    entry.launch_count = 1;
    entry.launches = tables.launches = &launch;
    tables.launches_end = &launch + 1;
    code.data = tables.code = text.c_str();
    code.bytes = int64_t(text.size() + 1);
    tables.code_end = text.c_str() + text.size() + 1;
  }
  const std::string text;
  const int32_t columns = 2;
  const xfrt_launch launch = {nullptr, kernelName, 0, 2, 2, 0, 1, 32, 0, 0, 0, 0};
  const xfrt_operand places[4] = {
      {XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}, {XFRT_ARGUMENT, 0, -1}, {XFRT_ARENA, 0, 3}};
  const xfrt_step order[3] = {
      {XFRT_COLLECTIVE, 0, XFRT_ALWAYS, 0}, {XFRT_LAUNCH, 0, XFRT_ALWAYS, 0}, {XFRT_WAIT, 0, XFRT_ALWAYS, 0}};
};

/// Messages that come when both kernels have run: a kernel that waited for them would wait until they give up.
TEST(GpuMessages, OverlapWithKernels) {
  setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
  xfSimReset();
  OverlapModel of;
  static std::atomic<bool> wereThere;
  static std::atomic<std::chrono::steady_clock::time_point> end;
  wereThere = false;
  end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::vector<Answer> answers = callAll(of, [&](const xfrt_communicator &host) {
    xfrt_communicator gpus;
    EXPECT_EQ(xfrt_open_nccl(&host, 0, 2000, &gpus), XFRT_OK);
    static thread_local xfrt_communicator inner;
    inner = gpus;
    xfrt_communicator late = gpus;
    late.start = [](void *context, const xfrt_peer_message *sends, int32_t sendCount, const xfrt_peer_message *receives,
                    int32_t receiveCount, void *stream, int32_t *ticket) {
      if (stream)
        xfSimEnqueue(
            stream,
            [](void *) {
              wereThere = wereThere || xfSimCalls("kernel") >= 2;
              return int(!wereThere && std::chrono::steady_clock::now() < end.load());
            },
            nullptr);
      return inner.start(context, sends, sendCount, receives, receiveCount, stream, ticket);
    };
    Answer answer = callOn(of, late, 1);
    gpus.close(&gpus);
    return answer;
  });
  for (const Answer &answer : answers)
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 3, 100, 101, 102, 103})) << answer.text;
  EXPECT_TRUE(wereThere);
}

TEST(NcclArguments, AreVerified) {
  xfrt_communicator made, host{};
  EXPECT_EQ(xfrt_open_nccl(nullptr, 0, 0, &made), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_open_nccl(&host, 0, 0, nullptr), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_open_nccl(&host, 0, 0, &made), XFRT_ABI_MISMATCH);
  NetworkOptions alone;
  xfrt::LocalNetwork network(alone);
  network.run([&](const xfrt_communicator &one) {
    EXPECT_EQ(xfrt_open_nccl(&one, -1, 0, &made), XFRT_INVALID_ARGUMENT);
    EXPECT_STREQ(xfrt_message(nullptr), "expected a device and a timeout of at least 0, got -1 and 0");
    EXPECT_EQ(xfrt_open_nccl(&one, 0, -5, &made), XFRT_INVALID_ARGUMENT);
  });
}

} // namespace
