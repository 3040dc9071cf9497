//===- Gather.cpp - Bringing rows to who computes with them ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include <algorithm>

using namespace xfrt;

Gather::Gather(Channel &channel, const Routes &routes, int64_t headBytes, const char *what)
    : channel(channel), routes(routes), headBytes(headBytes), what(what), offsets(routes.received.size()),
      passedOn(routes.received.size()), arrived(routes.received.size()), packed(routes.sent.size()),
      batches(routes.outward.size()) {
  std::vector<int64_t> used(size_t(routes.stages));
  for (size_t n = 0; n < routes.received.size(); ++n) {
    const Leg &leg = routes.received[n];
    int64_t &end = used[size_t(leg.stage)];
    offsets[n] = end;
    end += alignMessage(bytesOf(leg));
    stageBytes[leg.stage % 2] = std::max(stageBytes[leg.stage % 2], end);
  }
  for (size_t s = 0; s < routes.sent.size(); ++s)
    for (size_t n = 0; routes.sent[s].owner != channel.rank() && n < routes.received.size(); ++n)
      if (routes.received[n].owner == routes.sent[s].owner &&
          !intersect(routes.received[n].tokens, routes.sent[s].tokens).empty())
        passedOn[n].push_back(uint32_t(s));
}

Gather::~Gather() {
  if (completed < posted) // after a failure of this rank alone
    channel.abandon();
  for (Packed &buffer : buffers)
    channel.keep(std::move(buffer));
  for (Packed &message : packed)
    channel.keep(std::move(message));
}

xfrt_status Gather::reserve(Message &message) {
  for (int parity = 0; parity < 2; ++parity)
    if (!buffers[parity] && stageBytes[parity] > 0 && !(buffers[parity] = allocatePacked(stageBytes[parity])))
      return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for a stage", what,
                          (long long)stageBytes[parity]);
  for (const Wave &wave : routes.outward)
    for (uint32_t s : wave.sent)
      if (wave.stage < stagesAllowed)
        if (xfrt_status status = reserveSent(s, message))
          return status;
  return XFRT_OK;
}

/// Memory for a message that is sent, from the first of its rows on.
xfrt_status Gather::reserveSent(uint32_t s, Message &message) {
  if (packed[s] || (packed[s] = allocatePacked(headerBytes + bytesOf(routes.sent[s]))))
    return XFRT_OK;
  return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for a message", what,
                      (long long)bytesOf(routes.sent[s]));
}

bool Gather::passesOn(const Wave &wave) const {
  return std::any_of(wave.sent.begin(), wave.sent.end(),
                     [&](uint32_t s) { return routes.sent[s].owner != channel.rank(); });
}

bool Gather::mayPost(size_t wave) const {
  return wave < batches.size() && routes.outward[wave].stage < stagesAllowed &&
         (completed == wave || !passesOn(routes.outward[wave]));
}

xfrt_status Gather::post(size_t wave, Message &message) {
  Batch &batch = batches[wave];
  for (uint32_t n : routes.outward[wave].received)
    batch.receive(routes.received[n].partner, place(routes.received[n], n), bytesOf(routes.received[n]));
  for (uint32_t s : routes.outward[wave].sent) {
    const Leg &leg = routes.sent[s];
    if (xfrt_status status = reserveSent(s, message))
      return status;
    if (leg.owner == channel.rank())
      own.pack(leg.tokens, leg.heads, packed[s].get() + headerBytes);
    batch.send(leg.partner, packed[s].get(), bytesOf(leg));
  }
  posted = wave + 1;
  return channel.start(batch, what, message);
}

/// A wave has come: its rows are passed on to the messages that take them further.
xfrt_status Gather::complete(size_t wave, Message &message) {
  for (uint32_t n : routes.outward[wave].received) {
    const Leg &leg = routes.received[n];
    arrived[n] = Rows(place(leg, n) + headerBytes, leg.tokens, leg.heads, headBytes);
    for (uint32_t s : passedOn[n]) {
      const Leg &next = routes.sent[s];
      if (xfrt_status status = reserveSent(s, message))
        return status;
      arrived[n].copy(intersect(leg.tokens, next.tokens),
                      Rows(packed[s].get() + headerBytes, next.tokens, next.heads, headBytes));
    }
  }
  for (uint32_t s : routes.outward[wave].sent)
    packed[s].reset();
  completed = wave + 1;
  return XFRT_OK;
}

/// Starts all waves that may start, and waits for those whose rows they pass on.
xfrt_status Gather::postAll(Message &message) {
  while (posted < batches.size() && routes.outward[posted].stage < stagesAllowed) {
    if (mayPost(posted)) {
      if (xfrt_status status = post(posted, message))
        return status;
      continue;
    }
    if (xfrt_status status = channel.wait(batches[completed], what, message))
      return status;
    if (xfrt_status status = complete(completed, message))
      return status;
  }
  return XFRT_OK;
}

xfrt_status Gather::start(const Rows &rows, Message &message) {
  own = rows;
  if (xfrt_status status = reserve(message))
    return status;
  return postAll(message);
}

xfrt_status Gather::look(Message &message) {
  bool isComplete = completed < posted;
  while (isComplete) {
    if (xfrt_status status = channel.look(batches[completed], what, isComplete, message))
      return status;
    if (isComplete)
      if (xfrt_status status = complete(completed, message))
        return status;
    isComplete = isComplete && completed < posted;
  }
  return XFRT_OK;
}

xfrt_status Gather::wait(int32_t stage, Message &message) {
  while (completed < batches.size() && routes.outward[completed].stage <= stage) {
    if (completed == posted)
      return message.fail(XFRT_INVALID_ARGUMENT, "%s: expected stages to be released in turn, got stage %d", what,
                          stage);
    if (xfrt_status status = channel.wait(batches[completed], what, message))
      return status;
    if (xfrt_status status = complete(completed, message))
      return status;
  }
  return XFRT_OK;
}

const char *Gather::find(int32_t stage, int64_t token, int64_t head) const {
  auto first = std::partition_point(routes.received.begin(), routes.received.end(),
                                    [&](const Leg &leg) { return leg.stage < stage; });
  for (auto leg = first; leg != routes.received.end() && leg->stage == stage; ++leg)
    if (const char *row = arrived[size_t(leg - routes.received.begin())].find(token, head))
      return row;
  return nullptr;
}

xfrt_status Gather::release(int32_t stage, Message &message) {
  for (size_t n = 0; n < routes.received.size(); ++n)
    if (routes.received[n].stage == stage)
      arrived[n] = {};
  stagesAllowed = std::max(stagesAllowed, stage + 3);
  return postAll(message);
}

xfrt_status Gather::finish(Message &message) {
  stagesAllowed = routes.stages;
  if (xfrt_status status = postAll(message))
    return status;
  return wait(routes.stages, message);
}
