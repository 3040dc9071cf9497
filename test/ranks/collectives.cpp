//===- collectives.cpp - Calls of models for several ranks ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models of one collective, written by hand, on ranks that are threads.
//
//===----------------------------------------------------------------------===//

#include "RankModel.h"

#include <gtest/gtest.h>

using namespace xfrt;

using namespace rankmodel;

namespace {

constexpr int32_t data = 1, sequence = 2; // bits of axes

/// x of 4 elements along both axes, one or the other.
TEST(Collectives, SumOverTheAxesOfTheirGroup) {
  for (auto [axes, expected] :
       {std::pair<int32_t, std::vector<float>>{data | sequence, {1500, 1500, 1500, 1500, 1500, 1500}},
        {data, {300, 500, 700, 300, 500, 700}}, // 0 and 3, 1 and 4, 2 and 5
        {sequence, {300, 300, 300, 1200, 1200, 1200}}}) {
    RankModel of(2, 3, {XFRT_ALL_REDUCE, axes, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 16, 0}, 4, 4);
    std::vector<Answer> answers = callAll(of);
    for (size_t rank = 0; rank < 6; ++rank) {
      ASSERT_EQ(answers[rank].status, XFRT_OK) << answers[rank].text;
      float members = axes == data ? 2 : axes == sequence ? 3 : 6;
      EXPECT_EQ(answers[rank].y, (std::vector<float>{expected[rank], expected[rank] + members,
                                                     expected[rank] + 2 * members, expected[rank] + 3 * members}));
    }
  }
}

/// A matrix of 2 x 3 on each rank, joined along either dimension.
TEST(Collectives, GatherAlongADimension) {
  RankModel rows(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 24, 0}, 6, 12);
  for (const Answer &answer : callAll(rows))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105})) << answer.text;
  RankModel columns(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3}, {1, 24, 2, 12, 0}, 6, 12);
  for (const Answer &answer : callAll(columns))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105})) << answer.text;
}

TEST(Collectives, TakeAndExchangeParts) {
  RankModel slices(2, 1, {XFRT_ALL_SLICE, data, XFRT_F32, 0, 1, 0, 1, 2, 3}, {2, 4, 1, 8, 0}, 4, 2);
  std::vector<Answer> answers = callAll(slices);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{101, 103}));
  RankModel scatters(2, 1, {XFRT_REDUCE_SCATTER, data, XFRT_F32, 0, 1, 0, 1, 2, 3}, {2, 4, 1, 8, 0}, 4, 2);
  answers = callAll(scatters);
  EXPECT_EQ(answers[0].y, (std::vector<float>{100, 104}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{102, 106}));
  // 2 x 2 of each rank: columns are cut, rows joined.
  RankModel exchanges(2, 1, {XFRT_ALL_TO_ALL, data, XFRT_F32, 0, 1, 0, 1, 2, 3}, {2, 4, 1, 8, 0}, 4, 4);
  answers = callAll(exchanges);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2, 100, 102}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{1, 3, 101, 103}));
}

/// Of long sums members make parts: the same bits on all, in whatever order messages arrive.
TEST(Collectives, LongSumsHaveOneOrder) {
  RankModel of(1, 5, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 4 * 10007, 0}, 10007, 10007);
  std::vector<float> expected;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    NetworkOptions options;
    options.seed = seed;
    options.mostDelay = 100000;
    for (const Answer &answer : callAll(of, options)) {
      ASSERT_EQ(answer.status, XFRT_OK) << answer.text;
      if (expected.empty())
        expected = answer.y;
      EXPECT_TRUE(answer.y == expected);
    }
  }
  EXPECT_EQ(expected[0], 1000);
  EXPECT_EQ(expected[10006], 1000 + 5 * 10006);
}

TEST(Collectives, AskForTheRanksOfTheirMesh) {
  RankModel of(2, 2, {XFRT_ALL_REDUCE, data, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 16, 0}, 4, 4);
  xfrt_context *context = nullptr;
  EXPECT_EQ(xfrt_create(&of.model, nullptr, &context), XFRT_INVALID_ARGUMENT);
  EXPECT_STREQ(xfrt_message(nullptr), "model 'model': expected a communicator of 4 ranks, got none");
  of.axes[1].ranks = 1;
  NetworkOptions three;
  three.ranks = 3;
  LocalNetwork network(three);
  network.run([&](const xfrt_communicator &communicator) {
    Answer answer = callOn(of, communicator);
    EXPECT_EQ(answer.status, XFRT_INVALID_ARGUMENT);
    EXPECT_EQ(answer.text, "model 'model': expected a communicator of 2 ranks, got 3");
  });
}

/// A rank with another object, one that refuses its argument, and one that is gone: all know.
TEST(Collectives, TellWhichRankIsWrong) {
  RankModel of(1, 3, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 16, 0}, 4, 4);
  RankModel other(1, 3, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 16, 0}, 4, 4);
  other.model.content_hash = modelName;
  for (const Answer &answer : callAll(of, [&](const xfrt_communicator &communicator) {
         return callOn(communicator.rank == 2 ? other : of, communicator);
       })) {
    EXPECT_EQ(answer.status, XFRT_RANKS_DIFFER);
    EXPECT_EQ(answer.text.rfind("entry 'entry': expected the program and sizes ", 0), 0u) << answer.text;
    EXPECT_NE(answer.text.find(" on rank 2"), std::string::npos) << answer.text;
  }
  std::vector<Answer> answers = callAll(of, [&](const xfrt_communicator &communicator) {
    return callOn(of, communicator, 1, /*spoils=*/communicator.rank == 1);
  });
  EXPECT_EQ(answers[1].text, "entry 'entry': argument 'x': expected f32, got f64");
  for (size_t rank : {0, 2})
    EXPECT_EQ(answers[rank].text, "entry 'entry': rank 1 failed: bad_buffer");
  for (const Answer &answer : answers)
    EXPECT_EQ(answer.status, XFRT_BAD_BUFFER);
  NetworkOptions killed;
  killed.killed = 2;
  killed.killedAfter = 5;
  answers = callAll(of, killed);
  for (size_t rank : {0, 1})
    EXPECT_EQ(answers[rank].status, XFRT_RANK_LOST) << answers[rank].text;
}

TEST(Collectives, LostMessagesEndCalls) {
  RankModel of(1, 4, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1}, {1, 16, 0}, 4, 4);
  int right = 0, ended = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    NetworkOptions options;
    options.seed = seed;
    options.lostPerMillion = 10000;
    for (const Answer &answer : callAll(of, options)) {
      ++(answer.status == XFRT_OK ? right : ended);
      if (answer.status == XFRT_OK)
        EXPECT_EQ(answer.y[0], 600);
      else
        EXPECT_TRUE(answer.status == XFRT_RANK_LOST || answer.status == XFRT_RANKS_DIFFER) << answer.text;
    }
  }
  EXPECT_GT(right, 100);
  EXPECT_GT(ended, 20);
}

/// Rows that contradict themselves, and operands that may not be written.
TEST(Collectives, RowsThatContradictThemselves) {
  const xfrt_collective good = {XFRT_ALL_REDUCE, data, XFRT_F32, 0, 1, 0, 1, 0, 1};
  auto refusal = [](RankModel &of) {
    xfrt_context *context = nullptr;
    EXPECT_EQ(xfrt_create(&of.model, nullptr, &context), XFRT_BAD_MODEL);
    return std::string(xfrt_message(nullptr));
  };
  auto withRow = [&](auto change) {
    RankModel of(2, 2, good, {1, 16, 0}, 4, 4);
    change(of.collective);
    return refusal(of);
  };
  const std::string malformed = "entry 'entry': step 0 is malformed";
  for (int32_t kind : {-1, 4, 6, 1 << 30})
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.kind = kind; }), malformed);
  for (int32_t axes : {0, 4, -1, INT32_MIN})
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.axes = axes; }), malformed);
  for (int32_t dtype : {XFRT_BF16 + 0, XFRT_I32 + 0, 7, -1})
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.dtype = dtype; }), malformed);
  for (int32_t slot : {-1, 3}) {
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.send_runs = slot; }), malformed);
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.receive_bytes = slot; }), malformed);
  }
  EXPECT_EQ(withRow([&](xfrt_collective &row) { row.receive = 0; }), malformed); // an argument
  const std::string outside = "expected rows of entry 0 inside the tables of the model";
  for (int32_t operand : {-1, 2}) {
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.send = operand; }), outside);
    EXPECT_EQ(withRow([&](xfrt_collective &row) { row.receive = operand; }), outside);
  }
  for (int32_t index : {-1, 1}) {
    RankModel of(2, 2, good, {1, 16, 0}, 4, 4);
    of.steps[1].index = index;
    EXPECT_EQ(refusal(of), outside);
  }
  for (int32_t ranks : {0, -1, 1 << 17}) {
    RankModel of(2, 2, good, {1, 16, 0}, 4, 4);
    of.axes[1].ranks = ranks;
    EXPECT_EQ(refusal(of), "expected names, images and constants inside the tables of the model");
  }
}

/// Numbers of a frame that would read or write elsewhere.
TEST(Collectives, PartsThatDoNotFit) {
  for (std::vector<int64_t> frame :
       {std::vector<int64_t>{1, 16, 1, 8, 0}, {1, -16, 1, -16, 0}, {2, 8, 1, 16, 0}, {1, INT64_MAX, 1, INT64_MAX, 0}}) {
    RankModel of(1, 2, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3}, frame, 4, 4);
    for (const Answer &answer : callAll(of)) {
      EXPECT_EQ(answer.status, XFRT_BAD_MODEL);
      EXPECT_EQ(answer.text, "all_reduce: expected parts of equal sizes");
    }
  }
}

} // namespace
