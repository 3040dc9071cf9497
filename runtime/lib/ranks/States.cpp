//===- States.cpp - Sums of states over ranks -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "States.h"

#include <cstring>

using namespace xfrt;
using plan::StateScan;
using plan::StateStep;

States::States(Channel &channel, StateScan scan, int64_t bytes, AddStates add, const char *what)
    : channel(channel), scan(scan), bytes(bytes), add(add), what(what) {}

States::~States() {
  channel.keep(std::move(sent));
  channel.keep(std::move(received));
}

xfrt_status States::reserve(Message &message) {
  for (Packed *memory : {&known, &sent, &received})
    if (!*memory && !(*memory = allocatePacked(headerBytes + bytes)))
      return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for a state", what,
                          (long long)(headerBytes + bytes));
  return XFRT_OK;
}

/// Sends what is known, and receives the same of another rank.
xfrt_status States::exchange(const StateStep &step, Message &message) {
  Batch batch;
  if (step.to >= 0) {
    std::memcpy(sent.get() + headerBytes, known.get() + headerBytes, size_t(bytes));
    batch.send(step.to, sent.get(), bytes);
  }
  if (step.from >= 0)
    batch.receive(step.from, received.get(), bytes);
  if (xfrt_status status = channel.start(batch, what, message))
    return status;
  return channel.wait(batch, what, message);
}

xfrt_status States::run(const char *state, char *sum, Message &message) {
  if (xfrt_status status = reserve(message))
    return status;
  char *mine = known.get() + headerBytes;
  const char *theirs = received.get() + headerBytes;
  std::memcpy(mine, state, size_t(bytes));
  std::memset(sum, 0, size_t(bytes));
  for (const StateStep &step : plan::findSteps(scan, channel.rank(), channel.size())) {
    if (xfrt_status status = exchange(step, message))
      return status;
    if (step.from < 0)
      continue;
    if (step.isTotal) {
      std::memcpy(mine, theirs, size_t(bytes));
      continue;
    }
    add(mine, theirs, bytes);
    if (scan != StateScan::All)
      add(sum, theirs, bytes);
  }
  if (scan == StateScan::All)
    std::memcpy(sum, mine, size_t(bytes));
  return XFRT_OK;
}
