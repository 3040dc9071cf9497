//===- parameters.cpp - One file of all ranks' parameters -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores of models that were written by hand, on ranks that are threads.
//
// This program stands in front of the C library's malloc, so that a rank can be made to lack memory.
//
//===----------------------------------------------------------------------===//

#include "xfrt/parameters.h"
#include "LocalNetwork.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>
#include <utility>

using namespace xfrt;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define XF_OWN_MALLOC
#endif
#endif

namespace {
/// How many allocations of this thread still succeed; below 0: all. Behind the first that fails all fail, until it is
/// set again.
thread_local int64_t allocationsLeft = -1;

bool hasMemory() {
  if (allocationsLeft < 0)
    return true;
  allocationsLeft -= allocationsLeft > 0;
  return allocationsLeft > 0;
}
} // namespace

#ifndef XF_OWN_MALLOC
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t bytes) { return hasMemory() ? __libc_malloc(bytes) : nullptr; }
void *calloc(size_t count, size_t bytes) { return hasMemory() ? __libc_calloc(count, bytes) : nullptr; }
void *realloc(void *memory, size_t bytes) { return hasMemory() ? __libc_realloc(memory, bytes) : nullptr; }
}
#endif

namespace {

const char strings[] = "model\0\0hash\0entry\0b\0u\0v\0w\0data\0sequence";
const char *const modelName = strings, *const features = strings + 6, *const hash = strings + 7,
                  *const entryName = strings + 12,
                  *const names[] = {strings + 18, strings + 20, strings + 22, strings + 24},
                  *const dataAxis = strings + 26, *const sequenceAxis = strings + 31;
constexpr size_t count = 4;

/// Sizes of all ranks: b is whole on each rank, u has its rows shared by both axes, v its columns by "sequence" and its
/// rows by "data", and w, a state, its columns by both, "sequence" first.
constexpr int64_t whole[count][2] = {{3, 5}, {8, 3}, {4, 8}, {2, 16}};
constexpr int32_t dtypes[count] = {XFRT_F32, XFRT_F32, XFRT_F64, XFRT_BF16};

/// A model for a mesh data x sequence; 1 x 1 is one for one rank.
struct ShareModel {
  ShareModel(int32_t dataRanks, int32_t sequenceRanks) : axes{{dataAxis, dataRanks}, {sequenceAxis, sequenceRanks}} {
    const int64_t cuts[count][2] = {{1, 1}, {ranks(), 1}, {dataRanks, sequenceRanks}, {1, ranks()}};
    for (size_t n = 0; n < count; ++n) {
      for (size_t d = 0; d < 2; ++d)
        dims[n][d] = {whole[n][d] / cuts[n][d], -1};
      tensors[n] = {names[n], dtypes[n], 2, dims[n], n == 3 ? XFRT_STATE : XFRT_PARAMETER, -1, 0, 0, 0, 0, 0};
    }
    entry.name = entryName;
    entry.argument_count = count;
    entry.arguments = tensors;
    entry.arena_bytes = -1;
    tables.entries = &entry;
    tables.entries_end = &entry + 1;
    tables.tensors = tensors;
    tables.tensors_end = tensors + count;
    tables.dims = dims[0];
    tables.dims_end = dims[count - 1] + 2;
    tables.strings = strings;
    tables.strings_end = strings + sizeof strings;
    tables.axes = axes;
    tables.axes_end = axes + 2;
    tables.shards = shards;
    tables.shards_end = shards + 6;
    model.abi_version = XFRT_ABI_VERSION;
    model.name = modelName;
    model.features = features;
    model.content_hash = hash;
    model.entry_count = 1;
    model.entries = &entry;
    model.tables = &tables;
  }
  ShareModel(const ShareModel &) = delete;
  int32_t ranks() const { return axes[0].ranks * axes[1].ranks; }

  xfrt_axis axes[2];
  xfrt_shard shards[6] = {{1, 0, 0}, {1, 0, 1}, {2, 0, 0}, {2, 1, 1}, {3, 1, 1}, {3, 1, 0}};
  xfrt_dim dims[count][2];
  xfrt_tensor tensors[count];
  xfrt_entry entry = {};
  xfrt_tables tables = {};
  xfrt_model model = {};
};

/// The bytes of a whole tensor.
std::vector<uint8_t> bytesOf(size_t tensor) {
  std::vector<uint8_t> bytes(size_t(whole[tensor][0] * whole[tensor][1]) * xfrt_dtype_size(dtypes[tensor]));
  std::iota(bytes.begin(), bytes.end(), uint8_t(7 * tensor + 1));
  return bytes;
}

xfrt_buffer bufferOf(size_t tensor, std::vector<uint8_t> &bytes) {
  return {bytes.data(), dtypes[tensor], 2, whole[tensor], nullptr, XFRT_CPU};
}

/// What the function of one rank returns.
struct Answer {
  xfrt_status status = XFRT_OK;
  std::string text;
};
using Program = std::function<xfrt_status(xfrt_parameters *, int32_t rank)>;

class SharedParameters : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/xfrt-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const { return folder + "/" + name; }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t files() const {
    return size_t(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
  }

  /// Runs a program on each rank, with a store of its shares.
  static std::vector<Answer> run(const ShareModel &of, const Program &program, NetworkOptions options = {}) {
    options.ranks = of.ranks();
    options.mostDelay = 100000;
    LocalNetwork network(options);
    std::vector<Answer> answers(size_t(options.ranks));
    network.run([&](const xfrt_communicator &communicator) {
      xfrt_options given{};
      given.communicator = &communicator;
      given.timeout_ms = 1000;
      Answer &answer = answers[size_t(communicator.rank)];
      xfrt_parameters *store = nullptr;
      answer.status = xfrt_parameters_create(&of.model, &given, &store);
      answer.text = xfrt_message(nullptr);
      if (answer.status != XFRT_OK)
        return;
      answer.status = program(store, communicator.rank);
      answer.text = xfrt_parameters_message(store);
      xfrt_parameters_destroy(store);
    });
    return answers;
  }
  static void expectAll(const std::vector<Answer> &answers, xfrt_status status, const std::string &text = "") {
    for (const Answer &answer : answers) {
      EXPECT_EQ(answer.status, status) << answer.text;
      EXPECT_NE(answer.text.find(text), std::string::npos) << answer.text;
    }
  }

  static xfrt_status takeAll(xfrt_parameters *store) {
    for (size_t n = 0; n < count; ++n) {
      std::vector<uint8_t> bytes = bytesOf(n);
      xfrt_buffer buffer = bufferOf(n, bytes);
      if (xfrt_status status = xfrt_parameters_take(store, names[n], &buffer))
        return status;
    }
    return XFRT_OK;
  }
  static xfrt_status save(xfrt_parameters *store, const std::string &path) {
    const char *metadata[] = {"step", "7"};
    return xfrt_parameters_save(store, path.c_str(), XFRT_WEIGHTS | XFRT_STATES, metadata, 1);
  }
  static xfrt_status load(xfrt_parameters *store, const std::string &path) {
    return xfrt_parameters_load(store, path.c_str(), XFRT_WEIGHTS | XFRT_STATES);
  }
  /// Saves the values of `bytesOf` on a mesh.
  void write(const ShareModel &of, const std::string &name) const {
    expectAll(run(of,
                  [&](xfrt_parameters *store, int32_t) {
                    xfrt_status status = takeAll(store);
                    return status != XFRT_OK ? status : save(store, path(name));
                  }),
              XFRT_OK);
  }

  std::string folder;
};

TEST_F(SharedParameters, AreOneFileForAnyMesh) {
  write(ShareModel(1, 1), "1x1");
  const std::string one = read("1x1");
  for (size_t n = 0; n < count; ++n) {
    std::vector<uint8_t> bytes = bytesOf(n);
    EXPECT_NE(one.find(std::string(bytes.begin(), bytes.end())), std::string::npos) << names[n];
  }
  for (auto [data, sequence] : {std::pair(4, 1), {2, 2}, {1, 4}, {2, 1}, {1, 2}}) {
    const std::string name = std::to_string(data) + "x" + std::to_string(sequence);
    write(ShareModel(data, sequence), name);
    EXPECT_TRUE(read(name) == one) << name;
  }
  EXPECT_EQ(files(), 6U); // nothing else is left
}

TEST_F(SharedParameters, ContinueOnAnotherMesh) {
  write(ShareModel(4, 1), "four");
  for (auto [data, sequence] : {std::pair(1, 1), {2, 1}, {1, 2}, {2, 2}, {1, 4}}) {
    ShareModel of(data, sequence);
    expectAll(run(of,
                  [&](xfrt_parameters *store, int32_t rank) {
                    if (xfrt_status status = load(store, path("four")))
                      return status;
                    EXPECT_STREQ(xfrt_parameters_metadata(store, "step"), "7");
                    for (size_t n = 0; n < count; ++n) {
                      std::vector<uint8_t> bytes(bytesOf(n).size());
                      xfrt_buffer buffer = bufferOf(n, bytes);
                      if (xfrt_status status = xfrt_parameters_gather(store, names[n], rank == 0 ? &buffer : nullptr))
                        return status;
                      EXPECT_TRUE(rank != 0 || bytes == bytesOf(n)) << names[n];
                    }
                    return save(store, path("again"));
                  }),
              XFRT_OK);
    EXPECT_TRUE(read("again") == read("four")) << data << "x" << sequence;
  }
}

/// Of rows over both axes, "data" cuts the larger parts; of columns over "sequence" and "data", "sequence" does.
TEST_F(SharedParameters, AreCutFromTheFirstAxisOn) {
  ShareModel of(2, 2);
  expectAll(
      run(of,
          [&](xfrt_parameters *store, int32_t rank) {
            EXPECT_EQ(takeAll(store), XFRT_OK);
            xfrt_buffer rows, columns;
            EXPECT_EQ(xfrt_parameters_get(store, "u", &rows), XFRT_OK);
            EXPECT_EQ(xfrt_parameters_get(store, "w", &columns), XFRT_OK);
            EXPECT_EQ(rows.shape[0], 2);
            EXPECT_EQ(columns.shape[1], 4);
            const std::vector<uint8_t> u = bytesOf(1), w = bytesOf(3);
            EXPECT_EQ(std::memcmp(rows.data, u.data() + rank * 24, 24), 0) << rank;
            const int32_t part = rank % 2 * 2 + rank / 2;
            for (int row = 0; row < 2; ++row)
              EXPECT_EQ(std::memcmp(static_cast<char *>(columns.data) + row * 8, w.data() + row * 32 + part * 8, 8), 0)
                  << rank;
            return XFRT_OK;
          }),
      XFRT_OK);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST_F(SharedParameters, AreAllOrNothing) {
  ShareModel of(2, 2);
  write(of, "old");
  const std::string old = read("old");
  // A folder that is not there.
  std::vector<Answer> answers =
      run(of, [&](xfrt_parameters *store, int32_t) { return save(store, path("absent/file")); });
  expectAll(answers, XFRT_IO_ERROR);
  EXPECT_NE(answers[0].text.find("No such file"), std::string::npos) << answers[0].text;
  EXPECT_NE(answers[3].text.find("rank 0 failed: io_error"), std::string::npos) << answers[3].text;
  // Another rank refuses its metadata.
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  const char *metadata[] = {"key", "1", rank == 2 ? "key" : "other", "2"};
                  return xfrt_parameters_save(store, path("old").c_str(), XFRT_WEIGHTS, metadata, 2);
                }),
            XFRT_INVALID_ARGUMENT);
  // Another rank has no path, or no name: none waits for it.
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  return xfrt_parameters_save(store, rank == 2 ? nullptr : path("old").c_str(), XFRT_WEIGHTS, nullptr,
                                              0);
                }),
            XFRT_INVALID_ARGUMENT);
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  return xfrt_parameters_load(store, rank == 2 ? nullptr : path("old").c_str(), XFRT_WEIGHTS);
                }),
            XFRT_INVALID_ARGUMENT);
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  std::vector<uint8_t> bytes = bytesOf(1);
                  xfrt_buffer buffer = bufferOf(1, bytes);
                  return xfrt_parameters_gather(store, rank == 2 ? nullptr : "u", &buffer);
                }),
            XFRT_INVALID_ARGUMENT);
  // Ranks that save different things.
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  return xfrt_parameters_save(store, path("old").c_str(), rank == 1 ? XFRT_WEIGHTS : XFRT_STATES,
                                              nullptr, 0);
                }),
            XFRT_RANKS_DIFFER);
  EXPECT_TRUE(read("old") == old);
  EXPECT_EQ(files(), 1U);
}

/// What `work` returns, whose allocations succeed.
template <typename Work>
auto having(const Work &work) {
  const int64_t left = std::exchange(allocationsLeft, -1);
  auto result = work();
  allocationsLeft = left;
  return result;
}

/// A communicator whose own allocations succeed.
struct WithMemory {
  explicit WithMemory(const xfrt_communicator &of) : inner(of), outer(of) {
    outer.context = this;
    outer.start = [](void *self, const xfrt_peer_message *sends, int32_t sendCount, const xfrt_peer_message *receives,
                     int32_t receiveCount, void *stream, int32_t *ticket) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.start(to.context, sends, sendCount, receives, receiveCount, stream, ticket); });
    };
    outer.wait = [](void *self, int32_t ticket, int64_t timeout) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.wait(to.context, ticket, timeout); });
    };
    outer.message = [](void *self) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.message(to.context); });
    };
  }
  const xfrt_communicator &inner;
  xfrt_communicator outer;
};

/// A rank without memory from some allocation on: all ranks say so, and the file is the old one.
TEST_F(SharedParameters, TellWhichRankLacksMemory) {
#ifdef XF_OWN_MALLOC
  GTEST_SKIP() << "the sanitizer has a malloc of its own";
#endif
  ShareModel of(2, 2);
  write(of, "old");
  const std::string old = read("old");
  for (bool saves : {true, false})
    for (int32_t lacks : {0, 3}) {
      bool isDone = false;
      int64_t allocations = 1;
      for (; !isDone && allocations < 200; ++allocations) {
        LocalNetwork network({.ranks = 4});
        std::vector<xfrt_status> statuses(4);
        network.run([&](const xfrt_communicator &communicator) {
          WithMemory with(communicator);
          xfrt_options given{};
          given.communicator = &with.outer;
          given.timeout_ms = 1000;
          xfrt_parameters *store = nullptr;
          ASSERT_EQ(xfrt_parameters_create(&of.model, &given, &store), XFRT_OK);
          const std::string file = path("old");
          allocationsLeft = communicator.rank == lacks ? allocations : -1;
          const xfrt_status status =
              saves ? xfrt_parameters_save(store, file.c_str(), XFRT_WEIGHTS | XFRT_STATES, nullptr, 0)
                    : xfrt_parameters_load(store, file.c_str(), XFRT_WEIGHTS | XFRT_STATES);
          if (communicator.rank == lacks)
            isDone = allocationsLeft > 0; // it took fewer
          allocationsLeft = -1;
          statuses[size_t(communicator.rank)] = status;
          xfrt_parameters_destroy(store);
        });
        for (int32_t rank = 0; rank < 4; ++rank)
          EXPECT_EQ(statuses[size_t(rank)], isDone ? XFRT_OK : XFRT_OUT_OF_MEMORY)
              << "rank " << rank << " of rank " << lacks << ", allocation " << allocations << (saves ? " saves" : "");
        if (!isDone) {
          EXPECT_EQ(read("old"), old);
        }
        EXPECT_EQ(files(), 1U);
      }
      EXPECT_TRUE(isDone);
      EXPECT_GT(allocations, 10);
      if (saves)
        write(of, "old");
    }
}

TEST_F(SharedParameters, SurviveRanksThatEnd) {
  ShareModel of(2, 2);
  write(of, "old");
  const std::string old = read("old");
  // Calls of the transport: 4 until ranks have agreed, 2 for each of 3 tensors, and those in which they say how it
  // went.
  for (int64_t call = 0; call < 11; ++call) {
    NetworkOptions options;
    options.killed = 3;
    options.killedAfter = call;
    std::vector<Answer> answers =
        run(of, [&](xfrt_parameters *store, int32_t) { return save(store, path("old")); }, options);
    EXPECT_NE(answers[0].status, XFRT_OK) << call;
    EXPECT_TRUE(answers[0].status == XFRT_RANK_LOST || answers[0].status == XFRT_TRANSPORT_ERROR) << answers[0].text;
    EXPECT_TRUE(call > 8 ? read("old").size() == old.size() : read("old") == old) << call; // which is written by then
    EXPECT_EQ(files(), 1U) << call;
  }
}

TEST_F(SharedParameters, RefuseFilesTogether) {
  ShareModel of(1, 2);
  write(of, "good");
  std::ofstream(path("bad"), std::ios::binary) << "no safetensors";
  const std::vector<std::pair<const char *, xfrt_status>> files = {
      {"bad", XFRT_BAD_FILE}, {"absent", XFRT_IO_ERROR}, {"other", XFRT_PARAMETER_MISMATCH}};
  ShareModel other(2, 1);
  other.dims[1][0].size = 8; // a model that has twice the rows
  expectAll(run(other,
                [&](xfrt_parameters *store, int32_t) {
                  return xfrt_parameters_save(store, path("other").c_str(), XFRT_WEIGHTS | XFRT_STATES, nullptr, 0);
                }),
            XFRT_OK);
  for (auto [name, status] : files) {
    std::vector<Answer> answers = run(of, [&, name = name](xfrt_parameters *store, int32_t rank) {
      EXPECT_EQ(takeAll(store), XFRT_OK);
      xfrt_status loaded = load(store, path(rank == 1 ? name : "good"));
      xfrt_buffer buffer;
      EXPECT_EQ(xfrt_parameters_get(store, "b", &buffer), XFRT_OK);
      EXPECT_EQ(std::memcmp(buffer.data, bytesOf(0).data(), bytesOf(0).size()), 0); // as it was
      return loaded;
    });
    expectAll(answers, status);
    EXPECT_NE(answers[0].text.find("rank 1 failed"), std::string::npos) << answers[0].text;
    EXPECT_EQ(answers[1].text.find("rank 1 failed"), std::string::npos) << answers[1].text;
  }
}

TEST_F(SharedParameters, NeedTheirRanks) {
  ShareModel of(2, 2);
  xfrt_parameters *store = nullptr;
  ASSERT_EQ(xfrt_parameters_create(&of.model, nullptr, &store), XFRT_OK) << xfrt_message(nullptr);
  EXPECT_EQ(save(store, path("file")), XFRT_INVALID_ARGUMENT);
  EXPECT_STREQ(xfrt_parameters_message(store),
               "parameter 'u': expected a communicator of the ranks that share it, got none");
  EXPECT_EQ(load(store, path("file")), XFRT_INVALID_ARGUMENT);
  std::vector<uint8_t> bytes = bytesOf(1);
  xfrt_buffer buffer = bufferOf(1, bytes);
  EXPECT_EQ(xfrt_parameters_take(store, "u", &buffer), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_parameters_gather(store, "u", &buffer), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_parameters_whole(store, "u", &buffer), XFRT_OK);
  EXPECT_EQ(buffer.shape[0], 8);
  EXPECT_EQ(xfrt_parameters_whole(store, "x", &buffer), XFRT_INVALID_ARGUMENT);
  xfrt_parameters_destroy(store);
  // A communicator of other ranks.
  NetworkOptions options;
  options.ranks = 2;
  LocalNetwork network(options);
  network.run([&](const xfrt_communicator &communicator) {
    xfrt_options given{};
    given.communicator = &communicator;
    xfrt_parameters *none = nullptr;
    EXPECT_EQ(xfrt_parameters_create(&of.model, &given, &none), XFRT_INVALID_ARGUMENT);
    EXPECT_STREQ(xfrt_message(nullptr), "model 'model': expected a communicator of 4 ranks, got 2");
  });
}

TEST_F(SharedParameters, RefuseOtherShapes) {
  ShareModel of(2, 2);
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t) {
                  std::vector<uint8_t> bytes = bytesOf(2);
                  xfrt_buffer buffer = bufferOf(2, bytes);
                  return xfrt_parameters_take(store, "u", &buffer);
                }),
            XFRT_BAD_BUFFER, "parameter 'u': expected memory of the host for 8x3 of f32, all that the ranks have");
  // Rank 0 has no place for it, or another one; all say so.
  for (bool isOther : {false, true})
    expectAll(run(of,
                  [&](xfrt_parameters *store, int32_t) {
                    std::vector<uint8_t> bytes = bytesOf(2);
                    xfrt_buffer buffer = bufferOf(2, bytes);
                    return xfrt_parameters_gather(store, "u", isOther ? &buffer : nullptr);
                  }),
              XFRT_BAD_BUFFER);
  // Ranks that gather different tensors.
  expectAll(run(of,
                [&](xfrt_parameters *store, int32_t rank) {
                  std::vector<uint8_t> bytes = bytesOf(1);
                  xfrt_buffer buffer = bufferOf(1, bytes);
                  return xfrt_parameters_gather(store, rank == 3 ? "v" : "u", &buffer);
                }),
            XFRT_RANKS_DIFFER);
}

/// Rows of the table of shards that name what is not there, an axis twice, or come in another order.
TEST_F(SharedParameters, AreChecked) {
  for (auto [number, row] : {std::pair<int, xfrt_shard>{0, {-1, 0, 0}},
                             {0, {9, 0, 0}},
                             {0, {1, 2, 0}},
                             {0, {1, -1, 0}},
                             {0, {1, 0, 2}},
                             {1, {1, 0, 0}},
                             {1, {0, 0, 1}},
                             {2, {1, 0, 0}}}) {
    ShareModel of(2, 2);
    of.shards[number] = row;
    xfrt_parameters *store = nullptr;
    EXPECT_EQ(xfrt_parameters_create(&of.model, nullptr, &store), XFRT_BAD_MODEL) << number;
    EXPECT_EQ(store, nullptr);
  }
}

} // namespace
