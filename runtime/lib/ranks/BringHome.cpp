//===- BringHome.cpp - Adding partial results up where rows came from -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include <algorithm>

using namespace xfrt;

Homeward::Homeward(Channel &channel, const Routes &routes, int64_t headBytes, const char *what)
    : channel(channel), routes(routes), headBytes(headBytes), what(what) {
  for (const Wave &wave : routes.homeward) {
    int64_t bytes = 0;
    for (uint32_t n : wave.sent)
      bytes += messageBytes(routes.sent[n]);
    for (uint32_t n : wave.received)
      bytes += messageBytes(routes.received[n]);
    waveBytes = std::max(waveBytes, bytes);
  }
}

Homeward::~Homeward() { channel.keep(std::move(memory)); }

int64_t Homeward::messageBytes(const Leg &leg) const { return alignMessage(leg.rows() * headBytes); }

xfrt_status Homeward::reserve(Message &message) {
  if (memory || waveBytes == 0 || (memory = allocatePacked(waveBytes)))
    return XFRT_OK;
  return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for messages", what, (long long)waveBytes);
}

/// What went out comes home.
xfrt_status Homeward::runWave(const Wave &wave, const Rows &own, const Rows &held, Rows::Merge merge,
                              Message &message) {
  Batch batch;
  char *next = memory.get();
  for (uint32_t n : wave.sent) {
    const Leg &leg = routes.sent[n];
    batch.receive(leg.partner, next, leg.rows() * headBytes);
    next += messageBytes(leg);
  }
  for (uint32_t n : wave.received) {
    const Leg &leg = routes.received[n];
    held.pack(leg.tokens, leg.heads, next + headerBytes);
    batch.send(leg.partner, next, leg.rows() * headBytes);
    next += messageBytes(leg);
  }
  if (xfrt_status status = channel.start(batch, what, message))
    return status;
  if (xfrt_status status = channel.wait(batch, what, message))
    return status;
  next = memory.get();
  for (uint32_t n : wave.sent) {
    const Leg &leg = routes.sent[n];
    const Rows &rows = leg.owner == channel.rank() ? own : held;
    rows.merge(leg.tokens, leg.heads, next + headerBytes, merge);
    next += messageBytes(leg);
  }
  return XFRT_OK;
}

xfrt_status Homeward::run(const Rows &own, const Rows &held, Rows::Merge merge, Message &message) {
  if (xfrt_status status = reserve(message))
    return status;
  for (const Wave &wave : routes.homeward)
    if (xfrt_status status = runWave(wave, own, held, merge, message))
      return status;
  return XFRT_OK;
}

xfrt_status xfrt::bringHome(Channel &channel, const Routes &routes, int64_t headBytes, const char *what,
                            const Rows &own, const Rows &held, Rows::Merge merge, Message &message) {
  return Homeward(channel, routes, headBytes, what).run(own, held, merge, message);
}
