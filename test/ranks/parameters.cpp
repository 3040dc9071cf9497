//===- parameters.cpp - One file of all ranks' parameters -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores of models that were written by hand, on ranks that are threads.
//
//===----------------------------------------------------------------------===//

#include "SharedParameters.h"

#include <cstring>

using namespace sharedparameters;

namespace {

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
