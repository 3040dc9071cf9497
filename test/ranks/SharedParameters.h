//===- SharedParameters.h - Stores of ranks' parameters ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RANKS_SHAREDPARAMETERS_H
#define XF_TEST_RANKS_SHAREDPARAMETERS_H

#include "LocalNetwork.h"
#include "xfrt/parameters.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace sharedparameters {

using xfrt::LocalNetwork;
using xfrt::NetworkOptions;

inline const char strings[] = "model\0\0hash\0entry\0b\0u\0v\0w\0data\0sequence";
inline const char *const modelName = strings, *const features = strings + 6, *const hash = strings + 7,
                         *const entryName = strings + 12,
                         *const names[] = {strings + 18, strings + 20, strings + 22, strings + 24},
                         *const dataAxis = strings + 26, *const sequenceAxis = strings + 31;
inline constexpr size_t count = 4;

/// Sizes of all ranks: b is whole on each rank, u has its rows shared by both axes, v its columns by "sequence" and its
/// rows by "data", and w, a state, its columns by both, "sequence" first.
inline constexpr int64_t whole[count][2] = {{3, 5}, {8, 3}, {4, 8}, {2, 16}};
inline constexpr int32_t dtypes[count] = {XFRT_F32, XFRT_F32, XFRT_F64, XFRT_BF16};

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
inline std::vector<uint8_t> bytesOf(size_t tensor) {
  std::vector<uint8_t> bytes(size_t(whole[tensor][0] * whole[tensor][1]) * xfrt_dtype_size(dtypes[tensor]));
  std::iota(bytes.begin(), bytes.end(), uint8_t(7 * tensor + 1));
  return bytes;
}

inline xfrt_buffer bufferOf(size_t tensor, std::vector<uint8_t> &bytes) {
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

} // namespace sharedparameters

#endif // XF_TEST_RANKS_SHAREDPARAMETERS_H
