//===- agreement.cpp - Ranks that differ ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalNetwork.h"
#include "lib/ranks/Channel.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace xfrt;

namespace {
struct Answer {
  xfrt_status status;
  std::string text;
};
} // namespace

/// What each rank learns, where rank r has identity(r) and fails by itself as failure(r) says.
static std::vector<Answer> agreeAll(int32_t ranks, const std::function<Identity(int32_t)> &identity,
                                    const std::function<xfrt_status(int32_t)> &failure) {
  NetworkOptions options;
  options.ranks = ranks;
  LocalNetwork network(options);
  std::vector<Answer> answers(static_cast<size_t>(ranks));
  network.run([&](const xfrt_communicator &communicator) {
    Channel channel(communicator, 1000, "entry 'train'");
    Message message;
    int32_t rank = communicator.rank;
    xfrt_status own = failure(rank);
    if (own != XFRT_OK)
      message.fail(own, "the text of rank %d", rank);
    answers[size_t(rank)].status = channel.agree(identity(rank), own, message);
    answers[size_t(rank)].text = message.get();
  });
  return answers;
}

static xfrt_status well(int32_t) { return XFRT_OK; }

TEST(Agreement, OfEqualRanks) {
  for (int32_t ranks : {1, 2, 3, 7, 8, 33})
    for (const Answer &answer : agreeAll(ranks, [](int32_t) { return Identity{77, 4096}; }, well))
      EXPECT_EQ(answer.status, XFRT_OK) << answer.text;
}

/// Every rank has the same text, which names the first one that differs from rank 0.
TEST(Agreement, NamesTheRankThatDiffers) {
  for (int32_t ranks : {2, 3, 6, 8, 13})
    for (int32_t other = 1; other < ranks; ++other) {
      auto identity = [&](int32_t rank) { return rank >= other ? Identity{0x7a, 4095 - rank} : Identity{0x3f, 4096}; };
      std::string expected =
          "entry 'train': expected the plan 000000000000003f of rank 0, got 000000000000007a on rank " +
          std::to_string(other) + " (4096 tokens there, " + std::to_string(4095 - other) + " here)";
      for (const Answer &answer : agreeAll(ranks, identity, well)) {
        EXPECT_EQ(answer.status, XFRT_RANKS_DIFFER);
        EXPECT_EQ(answer.text, expected) << ranks << " ranks";
      }
    }
}

TEST(Agreement, NamesTheRankThatFails) {
  for (int32_t ranks : {2, 5, 8})
    for (int32_t first = 0; first < ranks; ++first) {
      auto failure = [&](int32_t rank) {
        return rank == first ? XFRT_OUT_OF_MEMORY : rank > first + 1 ? XFRT_BAD_BUFFER : XFRT_OK;
      };
      std::vector<Answer> answers = agreeAll(ranks, [](int32_t) { return Identity{77, 4096}; }, failure);
      for (int32_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(answers[size_t(rank)].status, XFRT_OUT_OF_MEMORY);
        EXPECT_EQ(answers[size_t(rank)].text,
                  rank == first ? "the text of rank " + std::to_string(first)
                                : "entry 'train': rank " + std::to_string(first) + " failed: out_of_memory");
      }
    }
}

/// A rank that fails before it has a plan has no identity to compare.
TEST(Agreement, OfARankThatFailsIsNotADifference) {
  for (int32_t ranks : {2, 3, 8})
    for (int32_t failed = 0; failed < ranks; ++failed) {
      auto identity = [&](int32_t rank) { return rank == failed ? Identity{0, 0} : Identity{77, 4096}; };
      auto failure = [&](int32_t rank) { return rank == failed ? XFRT_OUT_OF_MEMORY : XFRT_OK; };
      for (const Answer &answer : agreeAll(ranks, identity, failure))
        EXPECT_EQ(answer.status, XFRT_OUT_OF_MEMORY) << answer.text;
    }
}

/// A message that is another than the one expected is not used.
TEST(Channel, NoticesMessagesOutOfTurn) {
  NetworkOptions options;
  options.ranks = 2;
  LocalNetwork network(options);
  xfrt_status status = XFRT_OK;
  std::string text;
  network.run([&](const xfrt_communicator &communicator) {
    char memory[2][headerBytes + 8] = {};
    Message message;
    if (communicator.rank == 0) { // as if a first message had been lost on its way
      uint64_t header = uint64_t(1) << 32;
      std::memcpy(memory[0], &header, sizeof header);
      xfrt_peer_message sent = {memory[0], headerBytes + 8, 1};
      int32_t ticket;
      communicator.start(communicator.context, &sent, 1, nullptr, 0, nullptr, &ticket);
      communicator.wait(communicator.context, ticket, 1000);
      return;
    }
    Channel channel(communicator, 1000, "entry 'train'");
    Batch batch;
    batch.receive(0, memory[0], 8);
    EXPECT_EQ(channel.start(batch, "keys", message), XFRT_OK);
    status = channel.wait(batch, "keys", message);
    text = message.get();
  });
  EXPECT_EQ(status, XFRT_RANKS_DIFFER);
  EXPECT_EQ(text, "entry 'train': rank 1: keys: expected message 0 of rank 0, got another one");
}
