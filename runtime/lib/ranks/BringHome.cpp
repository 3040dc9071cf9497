//===- BringHome.cpp - Adding partial results up where rows came from -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

using namespace xfrt;

namespace {
/// Messages of one wave on their way home.
struct Homeward {
  Batch batch;
  std::vector<Packed> memory; // of the messages that arrive, then of those that leave
};
} // namespace

static xfrt_status addMessage(Homeward &homeward, const Leg &leg, int64_t bytes, const char *what, Message &message) {
  homeward.memory.push_back(allocatePacked(headerBytes + bytes));
  if (homeward.memory.back())
    return XFRT_OK;
  return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for a message of rank %d", what,
                      (long long)bytes, leg.partner);
}

static xfrt_status runWave(Channel &channel, const Routes &routes, const Wave &wave, int64_t headBytes,
                           const char *what, const Rows &own, const Rows &held, Rows::Merge merge, Homeward &homeward,
                           Message &message) {
  for (uint32_t n : wave.sent) { // what went out comes home
    const Leg &leg = routes.sent[n];
    if (xfrt_status status = addMessage(homeward, leg, leg.rows() * headBytes, what, message))
      return status;
    homeward.batch.receive(leg.partner, homeward.memory.back().get(), leg.rows() * headBytes);
  }
  for (uint32_t n : wave.received) {
    const Leg &leg = routes.received[n];
    if (xfrt_status status = addMessage(homeward, leg, leg.rows() * headBytes, what, message))
      return status;
    held.pack(leg.tokens, leg.heads, homeward.memory.back().get() + headerBytes);
    homeward.batch.send(leg.partner, homeward.memory.back().get(), leg.rows() * headBytes);
  }
  if (xfrt_status status = channel.start(homeward.batch, what, message))
    return status;
  if (xfrt_status status = channel.wait(homeward.batch, what, message))
    return status;
  for (size_t n = 0; n < wave.sent.size(); ++n) {
    const Leg &leg = routes.sent[wave.sent[n]];
    const Rows &rows = leg.owner == channel.rank() ? own : held;
    rows.merge(leg.tokens, leg.heads, homeward.memory[n].get() + headerBytes, merge);
  }
  return XFRT_OK;
}

xfrt_status xfrt::bringHome(Channel &channel, const Routes &routes, int64_t headBytes, const char *what,
                            const Rows &own, const Rows &held, Rows::Merge merge, Message &message) {
  for (const Wave &wave : routes.homeward) {
    Homeward homeward;
    xfrt_status status = runWave(channel, routes, wave, headBytes, what, own, held, merge, homeward, message);
    for (Packed &memory : homeward.memory)
      channel.keep(std::move(memory));
    if (status != XFRT_OK)
      return status;
  }
  return XFRT_OK;
}
