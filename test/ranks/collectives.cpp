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
#include "lib/ranks/Ranks.h"
#include "plan/Piece.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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
    RankModel of(2, 3, {XFRT_ALL_REDUCE, axes, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
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
  RankModel rows(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 24, 0}, 6, 12);
  for (const Answer &answer : callAll(rows))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105})) << answer.text;
  RankModel columns(1, 2, {XFRT_ALL_GATHER, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0},
                    {1, 24, 2, 12, 0}, 6, 12);
  for (const Answer &answer : callAll(columns))
    EXPECT_EQ(answer.y, (std::vector<float>{0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105})) << answer.text;
}

TEST(Collectives, TakeAndExchangeParts) {
  RankModel slices(2, 1, {XFRT_ALL_SLICE, data, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0}, 4,
                   2);
  std::vector<Answer> answers = callAll(slices);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{101, 103}));
  RankModel scatters(2, 1, {XFRT_REDUCE_SCATTER, data, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0},
                     {2, 4, 1, 8, 0}, 4, 2);
  answers = callAll(scatters);
  EXPECT_EQ(answers[0].y, (std::vector<float>{100, 104}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{102, 106}));
  // 2 x 2 of each rank: columns are cut, rows joined.
  RankModel exchanges(2, 1, {XFRT_ALL_TO_ALL, data, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 1, 8, 0},
                      4, 4);
  answers = callAll(exchanges);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 2, 100, 102}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{1, 3, 101, 103}));
}

/// Of long sums members make parts: the same bits on all, in whatever order messages arrive.
TEST(Collectives, LongSumsHaveOneOrder) {
  RankModel of(1, 5, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 4 * 10007, 0},
               10007, 10007);
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
  RankModel of(2, 2, {XFRT_ALL_REDUCE, data, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
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

/// A child of a rank is none: messages of both would be taken for the rank's.
TEST(Collectives, AreNotForAChildOfARank) {
  RankModel of(2, 2, {XFRT_ALL_REDUCE, data, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
  const xfrt_communicator silent = {XFRT_COMMUNICATOR_VERSION,
                                    1,
                                    4,
                                    0,
                                    nullptr,
                                    [](void *, const xfrt_peer_message *, int32_t, const xfrt_peer_message *, int32_t,
                                       void *, int32_t *) -> int { _exit(7); },
                                    [](void *, int32_t, int64_t) -> int { _exit(8); },
                                    [](void *, int, const char *) { _exit(9); },
                                    [](void *) { return ""; },
                                    [](xfrt_communicator *) { _exit(10); }};
  xfrt_options options{};
  options.communicator = &silent;
  xfrt_context *context = nullptr;
  ASSERT_EQ(xfrt_create(&of.model, &options, &context), XFRT_OK) << xfrt_message(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    float x[4] = {}, y[4];
    const xfrt_buffer in = {x, XFRT_F32, 1, &of.dims[0].size, nullptr, XFRT_CPU},
                      out = {y, XFRT_F32, 1, &of.dims[1].size, nullptr, XFRT_CPU};
    const xfrt_status status = xfrt_call(context, 0, &in, 1, &out, 1);
    const std::string text = xfrt_message(context);
    xfrt_destroy(context);
    _exit(status != XFRT_FORKED ? 1
          : text == "expected a handle of this process, got one of its parent, whose ranks do not know a child of fork"
              ? 0
              : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  xfrt_destroy(context);
}

/// A rank with another object, one that refuses its argument, and one that is gone: all know.
TEST(Collectives, TellWhichRankIsWrong) {
  RankModel of(1, 3, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
  RankModel other(1, 3, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
  other.model.content_hash = modelName;
  for (const Answer &answer : callAll(of, [&](const xfrt_communicator &communicator) {
         return callOn(communicator.rank == 2 ? other : of, communicator);
       })) {
    EXPECT_EQ(answer.status, XFRT_RANKS_DIFFER);
    EXPECT_EQ(answer.text, "entry 'entry': expected the program of rank 0, got another one on rank 2");
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
  RankModel of(1, 4, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 0}, 4, 4);
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

/// Query i sees keys i - 1 and i.
std::vector<int64_t> pairsOfNeighbours() {
  xfrt::plan::Piece piece;
  piece.lower = {{{}, {-1, 1, {}, {}}}};
  piece.upper = {{{}, {0, 1, {}, {}}}};
  return xfrt::plan::writeNumbers({piece});
}

/// Two matrices of two keys on each of three ranks, a row being one number.
RankModel keysOnThree(xfrt_collective_kind kind) {
  const bool isOutward = kind == XFRT_EXCHANGE;
  xfrt_collective row = {kind, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 2, 2, 0, 0, 0, 0, 0};
  (isOutward ? row.send_runs : row.receive_runs) = 3;
  (isOutward ? row.send_bytes : row.receive_bytes) = 4;
  return RankModel(1, 3, row, {2, 8, 2, 1, 16, 0}, isOutward ? 4 : 12, isOutward ? 12 : 4, pairsOfNeighbours());
}

TEST(Collectives, SendTheKeysThatQueriesSee) {
  const RankModel of = keysOnThree(XFRT_EXCHANGE);
  xfrt::NetworkOptions options;
  options.ranks = 3;
  xfrt::LocalNetwork network(options);
  std::vector<Answer> answers(3);
  network.run(
      [&](const xfrt_communicator &communicator) { answers[size_t(communicator.rank)] = callOn(of, communicator); });
  // What is -1 was not written.
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 1, -1, -1, -1, -1, 2, 3, -1, -1, -1, -1}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{-1, 1, 100, 101, -1, -1, -1, 3, 102, 103, -1, -1}));
  EXPECT_EQ(answers[2].y, (std::vector<float>{-1, -1, -1, 101, 200, 201, -1, -1, -1, 103, 202, 203}));
  // The last rank sends nothing but its agreement; others one key of two matrices, and 8 bytes before them.
  EXPECT_EQ(network.bytesSent(0), network.bytesSent(2) + 16);
  EXPECT_EQ(network.bytesSent(1), network.bytesSent(2) + 16);
  EXPECT_EQ(network.messagesSent(0), network.messagesSent(2) + 1);
}

TEST(Collectives, ReturnAndReduceWhatWasComputedForKeys) {
  const std::vector<Answer> answers = callAll(keysOnThree(XFRT_RETURN_REDUCE));
  // Key 1 is 1 + 101, key 3 is 103 + 203, of the first matrix; the second one begins at number 6.
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 102, 6, 114}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{102, 306, 108, 318}));
  EXPECT_EQ(answers[2].y, (std::vector<float>{204, 205, 210, 211}));
}

/// All keys are seen, of the same segment.
struct SegmentsOnThree {
  SegmentsOnThree(xfrt_collective_kind kind, std::vector<int32_t> numbers, int64_t lists)
      : segments(std::move(numbers)), of(keysOnThree(kind)) {
    of.plan = xfrt::plan::writeNumbers({xfrt::plan::Piece()});
    of.frame.insert(of.frame.end() - 1, lists);
    of.tables.plans = of.plan.data();
    of.tables.plans_end = of.plan.data() + of.plan.size();
    of.tables.frames = of.entry.frame = of.frame.data();
    of.tables.frames_end = of.frame.data() + of.frame.size();
    of.entry.frame_size = int32_t(of.frame.size());
    of.entry.arena_bytes = int32_t(of.frame.size()) - 1;
    of.setSegments(segments, int32_t(of.frame.size()) - 2);
  }

  const std::vector<int32_t> segments;
  RankModel of;
};

TEST(Collectives, SendTheKeysOfSegments) {
  const SegmentsOnThree one(XFRT_EXCHANGE, {0, 0, 1, 1, 0, 1}, 1);
  std::vector<Answer> answers = callAll(one.of);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 1, -1, -1, 200, -1, 2, 3, -1, -1, 202, -1}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{-1, -1, 100, 101, -1, 201, -1, -1, 102, 103, -1, 203}));
  EXPECT_EQ(answers[2].y, (std::vector<float>{0, 1, 100, 101, 200, 201, 2, 3, 102, 103, 202, 203}));
  // Of two batch entries, the second one has other segments, and tokens without one.
  const SegmentsOnThree two(XFRT_EXCHANGE, {0, 0, 1, 1, 0, 1, 7, -1, 7, -1, -1, -1}, 2);
  answers = callAll(two.of);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0, 1, -1, -1, 200, -1, 2, 3, 102, -1, -1, -1}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{-1, -1, 100, 101, -1, 201, 2, -1, 102, 103, -1, -1}));
  EXPECT_EQ(answers[2].y, (std::vector<float>{0, 1, 100, 101, 200, 201, -1, -1, -1, -1, 202, 203}));
  const SegmentsOnThree returned(XFRT_RETURN_REDUCE, {0, 0, 1, 1, 0, 1}, 1);
  answers = callAll(returned.of);
  EXPECT_EQ(answers[0].y, (std::vector<float>{0 + 200, 1 + 201, 6 + 206, 7 + 207}));
  EXPECT_EQ(answers[1].y, (std::vector<float>{102 + 202, 103 + 203, 108 + 208, 109 + 209}));
  EXPECT_EQ(answers[2].y, (std::vector<float>{4 + 204, 105 + 205, 10 + 210, 111 + 211}));
}

/// A rank that has other segments than the others: who waits for a message that nobody sends, or gets one by other
/// segments, says so.
TEST(Collectives, OtherSegmentsEndCalls) {
  const SegmentsOnThree most(XFRT_EXCHANGE, {0, 0, 0, 0, 0, 0}, 1);
  for (const std::vector<int32_t> &segments : {std::vector<int32_t>{5, 5, 5, 5, 5, 5}, {0, 0, 1, 1, 2, 2}}) {
    const SegmentsOnThree other(XFRT_EXCHANGE, segments, 1);
    const std::vector<Answer> answers = callAll(most.of, [&](const xfrt_communicator &communicator) {
      return callOn(communicator.rank == 1 ? other.of : most.of, communicator);
    });
    for (const int rank : {0, 2})
      EXPECT_EQ(answers[size_t(rank)].status, segments[0] == 5 ? XFRT_RANKS_DIFFER : XFRT_RANK_LOST)
          << answers[size_t(rank)].text;
    if (segments[0] == 5)
      EXPECT_EQ(answers[1].status, XFRT_RANKS_DIFFER) << answers[1].text;
  }
}

TEST(Collectives, SegmentsThatContradictThemselves) {
  auto refusal = [](auto change) {
    SegmentsOnThree made(XFRT_EXCHANGE, {0, 0, 1, 1, 0, 1}, 1);
    change(made.of);
    xfrt_context *context = nullptr;
    EXPECT_EQ(xfrt_create(&made.of.model, nullptr, &context), XFRT_BAD_MODEL);
    return std::string(xfrt_message(nullptr));
  };
  const std::string malformed = "entry 'entry': step 0 is malformed";
  EXPECT_EQ(refusal([](RankModel &of) { of.collective.segment_dtype = XFRT_F64; }), malformed);
  EXPECT_EQ(refusal([](RankModel &of) { of.collective.kind = XFRT_ALL_GATHER; }), malformed);
  for (int32_t slot : {-1, 7})
    EXPECT_EQ(refusal([=](RankModel &of) { of.collective.segment_lists = slot; }), malformed);
  for (int32_t operand : {-1, 4}) { // outside of the table
    EXPECT_NE(refusal([=](RankModel &of) { of.collective.key_segments = operand; }), "");
    EXPECT_NE(refusal([=](RankModel &of) { of.collective.query_segments = operand; }), "");
  }
  const SegmentsOnThree uneven(XFRT_EXCHANGE, std::vector<int32_t>(18), 3); // of two matrices
  for (const Answer &answer : callAll(uneven.of)) {
    EXPECT_EQ(answer.status, XFRT_BAD_MODEL);
    EXPECT_EQ(answer.text, "exchange: expected rows of keys in each part");
  }
}

TEST(Collectives, LostKeysEndCalls) {
  const RankModel of = keysOnThree(XFRT_EXCHANGE);
  int right = 0, ended = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    NetworkOptions options;
    options.seed = seed;
    options.lostPerMillion = 10000;
    const std::vector<Answer> answers = callAll(of, options);
    for (const Answer &answer : answers) {
      ++(answer.status == XFRT_OK ? right : ended);
      if (answer.status != XFRT_OK)
        EXPECT_TRUE(answer.status == XFRT_RANK_LOST || answer.status == XFRT_RANKS_DIFFER) << answer.text;
    }
    if (answers[1].status == XFRT_OK)
      EXPECT_EQ(answers[1].y, (std::vector<float>{-1, 1, 100, 101, -1, -1, -1, 3, 102, 103, -1, -1}));
  }
  EXPECT_GT(right, 100);
  EXPECT_GT(ended, 20);
}

/// Plans that are cut off, begin elsewhere or are not there, and rows that are not of keys.
TEST(Collectives, KeysThatContradictThemselves) {
  auto refusal = [](auto change) {
    RankModel of = keysOnThree(XFRT_EXCHANGE);
    change(of);
    xfrt_context *context = nullptr;
    EXPECT_EQ(xfrt_create(&of.model, nullptr, &context), XFRT_BAD_MODEL);
    return std::string(xfrt_message(nullptr));
  };
  const std::string malformed = "entry 'entry': step 0 is malformed";
  EXPECT_EQ(refusal([](RankModel &of) { --of.tables.plans_end; }), malformed);
  EXPECT_EQ(refusal([](RankModel &of) { of.tables.plans = of.tables.plans_end = nullptr; }), malformed);
  for (int32_t plan : {-1, 1, 1000})
    EXPECT_EQ(refusal([=](RankModel &of) { of.collective.plan = plan; }), malformed);
  for (int32_t slot : {-1, 6}) {
    EXPECT_EQ(refusal([=](RankModel &of) { of.collective.keys = slot; }), malformed);
    EXPECT_EQ(refusal([=](RankModel &of) { of.collective.queries = slot; }), malformed);
  }
  RankModel uneven = keysOnThree(XFRT_EXCHANGE);
  uneven.collective.keys = 4; // 16 keys in 8 bytes
  for (const Answer &answer : callAll(uneven)) {
    EXPECT_EQ(answer.status, XFRT_BAD_MODEL);
    EXPECT_EQ(answer.text, "exchange: expected rows of keys in each part");
  }
}

/// A call whose rows the chunks of a rank do not divide says which; other sizes that do not fit have other words.
TEST(Collectives, RowsThatChunksDoNotDivide) {
  for (const int64_t queries : {3, 2}) {
    RankModel of = keysOnThree(XFRT_EXCHANGE);
    of.plan[0] = 2; // chunks
    of.frame[2] = queries;
    of.frame.back() = XFRT_SIZES_DIFFER;
    for (const Answer &answer : callAll(of)) {
      EXPECT_EQ(answer.status, XFRT_INVALID_ARGUMENT);
      const bool isOwn = answer.text.find("failed") == std::string::npos; // else what another rank has said before
      EXPECT_TRUE(!isOwn ||
                  answer.text == (queries == 3
                                      ? "entry 'entry': expected queries of each rank that its 2 chunks divide, got 3"
                                      : "entry 'entry': expected sizes that fit the shapes of its operations"))
          << answer.text;
    }
  }
}

/// Four sums one after the other have the memory of the largest one; those that are under way together have their own.
TEST(Collectives, ShareMemoryOfMessages) {
  const xfrt_collective row = {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  RankModel of(1, 2, row, {1, 4000, 8000, 0}, 1000, 1000);
  xfrt_collective rows[4] = {row, row, row, row};
  rows[2].send_bytes = rows[2].receive_bytes = 2;
  of.tables.collectives = rows;
  of.tables.collectives_end = rows + 4;
  NetworkOptions network;
  network.ranks = 2;
  LocalNetwork(network).run([&](const xfrt_communicator &communicator) {
    xfrt_options options{};
    options.communicator = &communicator;
    std::vector<float> x(2000, float(communicator.rank + 1)), y(2000);
    char *const send = reinterpret_cast<char *>(x.data()), *const receive = reinterpret_cast<char *>(y.data());
    Message message;
    std::unique_ptr<Ranks, decltype(&Ranks::destroy)> ranks(nullptr, Ranks::destroy);
    auto start = [&](int n) { EXPECT_EQ(ranks->start(rows[n], of.frame.data(), send, {}, message), XFRT_OK); };
    auto wait = [&](int n) {
      EXPECT_EQ(ranks->wait(rows[n], of.frame.data(), send, {}, receive, message), XFRT_OK) << message.get();
      EXPECT_TRUE(std::all_of(y.begin(), y.begin() + (n == 2 ? 2000 : 1000), [](float sum) { return sum == 3; }));
      y.assign(y.size(), -1);
    };
    constexpr int64_t small = 4 * (4000 + headerBytes), large = 4 * (8000 + headerBytes);
    ranks.reset(Ranks::create(of.model, options));
    for (int call = 0; call < 2; ++call)
      for (int n = 0; n < 4; ++n) {
        start(n);
        wait(n);
        EXPECT_EQ(ranks->messageBytes(), call == 0 && n < 2 ? small : large);
      }
    ranks.reset(Ranks::create(of.model, options));
    for (int n = 0; n < 4; ++n)
      start(n);
    EXPECT_EQ(ranks->messageBytes(), large + 3 * small);
    for (int n = 0; n < 4; ++n)
      wait(n);
  });
}

/// Rows that contradict themselves, and operands that may not be written.
TEST(Collectives, RowsThatContradictThemselves) {
  const xfrt_collective good = {XFRT_ALL_REDUCE, data, XFRT_F32, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0};
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
  for (int32_t kind : {-1, 4, 6, 7, 1 << 30})
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
    RankModel of(1, 2, {XFRT_ALL_REDUCE, sequence, XFRT_F32, 0, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}, frame, 4, 4);
    for (const Answer &answer : callAll(of)) {
      EXPECT_EQ(answer.status, XFRT_BAD_MODEL);
      EXPECT_EQ(answer.text, "all_reduce: expected parts of equal sizes");
    }
  }
}

} // namespace
