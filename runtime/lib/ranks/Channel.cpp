//===- Channel.cpp - Messages that notice what is wrong -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channel.h"

#include <atomic>
#include <cinttypes>
#include <cstring>

using namespace xfrt;

static constexpr int64_t defaultTimeout = 10 * 60 * 1000;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Packed xfrt::allocatePacked(int64_t bytes) { return Packed(static_cast<char *>(malloc(size_t(bytes)))); }

namespace {
/// Memory that a transport may still write to. It is never freed, but stays reachable for leak checkers.
struct Kept {
  char *memory;
  Kept *next;
};
} // namespace

void Channel::keep(Packed memory) {
  static std::atomic<Kept *> all{nullptr};
  if (!broken || !memory)
    return;
  auto *kept = static_cast<Kept *>(malloc(sizeof(Kept)));
  char *const released = memory.release();
  if (!kept)
    return;
  *kept = {released, all.load()};
  while (!all.compare_exchange_weak(kept->next, kept))
    ;
}

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

Channel::Channel(const xfrt_communicator &communicator, int64_t timeout, const char *entry)
    : communicator(communicator), timeout(timeout > 0 ? timeout : defaultTimeout), entry(entry ? entry : ""),
      agreement(allocatePacked(agreementBytes)), hasBatch(agreementBatch.reserve()), sent(size_t(communicator.size)),
      received(size_t(communicator.size)) {}

/// A header has, from the lowest bit on, 8 bits of the status, 24 bits of the failed rank, and 32 bits of the message's
/// number.
uint64_t Channel::makeHeader(int32_t peer) {
  const uint32_t number = sent[size_t(peer)]++;
  return uint64_t(uint8_t(failure)) | uint64_t(uint32_t(failedRank) & 0xffffff) << 8 | uint64_t(number ^ plan) << 32;
}

xfrt_status Channel::readHeader(uint64_t header, uint32_t number, int32_t peer, const char *what, Message &message) {
  if ((uint32_t(header >> 32) ^ plan) != number) {
    broken = true;
    return message.fail(XFRT_RANKS_DIFFER, "%s: rank %d: %s: expected message %u of rank %d, got another one", entry,
                        rank(), what, number, peer);
  }
  if (failure == XFRT_OK && (header & 0xff) != 0) {
    failure = xfrt_status(header & 0xff);
    failedRank = int32_t(header >> 8 & 0xffffff);
  }
  return XFRT_OK;
}

xfrt_status Channel::readHeaders(Batch &batch, const char *what, Message &message) {
  for (size_t n = 0; n < batch.receives.size(); ++n) {
    uint64_t header;
    std::memcpy(&header, batch.receives[n].data, sizeof header);
    header ^= uint64_t(batch.sealNumber) << 32;
    if (xfrt_status status = readHeader(header, batch.numbers[n], batch.receives[n].peer, what, message))
      return status;
  }
  return XFRT_OK;
}

void Channel::refuse(xfrt_status status) {
  if (failure != XFRT_OK)
    return;
  failure = status;
  failedRank = rank();
}

xfrt_status Channel::finish(Message &message) {
  const xfrt_status status = failure;
  if (status != XFRT_OK && failedRank != rank()) // who failed has said why
    message.fail(status, "%s: rank %d failed: %s", entry, failedRank, xfrt_status_name(status));
  failure = XFRT_OK;
  failedRank = -1;
  return status;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

xfrt_status Channel::lose(xfrt_status status, const char *what, const char *words, Message &message) {
  broken = true;
  return message.fail(status, "%s: rank %d: %s: %s", entry, rank(), what, words);
}

/// Fails if the channel is broken, because messages may then be under way for ever.
xfrt_status Channel::checkWhole(const char *what, Message &message) const {
  if (!broken)
    return XFRT_OK;
  return message.fail(XFRT_RANK_LOST, "%s: rank %d: %s: expected ranks that are there, got a failure before", entry,
                      rank(), what);
}

xfrt_status Channel::start(Batch &batch, const char *what, Message &message) {
  if (xfrt_status status = checkWhole(what, message))
    return status;
  if (batch.empty())
    return XFRT_OK;
  for (const xfrt_peer_message &sent : batch.sends) {
    const uint64_t header = makeHeader(sent.peer) ^ uint64_t(batch.sealNumber) << 32;
    std::memcpy(sent.data, &header, sizeof header);
  }
  batch.numbers.clear();
  for (const xfrt_peer_message &receive : batch.receives)
    batch.numbers.push_back(received[size_t(receive.peer)]++);
  if (!batch.sends.isComplete() || !batch.receives.isComplete() || !batch.numbers.isComplete())
    return lose(XFRT_OUT_OF_MEMORY, what, "cannot allocate a list of messages", message);
  if (communicator.start(communicator.context, batch.sends.data(), int32_t(batch.sends.size()), batch.receives.data(),
                         int32_t(batch.receives.size()), nullptr, &batch.ticket) != XFRT_TRANSPORT_OK)
    return lose(XFRT_TRANSPORT_ERROR, what, communicator.message(communicator.context), message);
  return XFRT_OK;
}

xfrt_status Channel::look(Batch &batch, const char *what, bool &isComplete, Message &message) {
  isComplete = batch.ticket < 0;
  if (isComplete)
    return XFRT_OK;
  const int status = communicator.wait(communicator.context, batch.ticket, 0);
  if (status == XFRT_TRANSPORT_LATE)
    return XFRT_OK;
  if (status != XFRT_TRANSPORT_OK)
    return lose(XFRT_TRANSPORT_ERROR, what, communicator.message(communicator.context), message);
  isComplete = true;
  batch.ticket = -1;
  return readHeaders(batch, what, message);
}

xfrt_status Channel::startOn(void *stream, Array<xfrt_peer_message> &sends, Array<xfrt_peer_message> &receives,
                             int32_t &ticket, const char *what, Message &message) {
  if (xfrt_status status = checkWhole(what, message))
    return status;
  if (!sends.isComplete() || !receives.isComplete())
    return lose(XFRT_OUT_OF_MEMORY, what, "cannot allocate a list of messages", message);
  const int status = communicator.start(communicator.context, sends.data(), int32_t(sends.size()), receives.data(),
                                        int32_t(receives.size()), stream, &ticket);
  if (status != XFRT_TRANSPORT_OK) // a transport that connects to ranks by the first message may find none
    return lose(status == XFRT_TRANSPORT_LATE ? XFRT_RANK_LOST : XFRT_TRANSPORT_ERROR, what,
                communicator.message(communicator.context), message);
  return XFRT_OK;
}

xfrt_status Channel::waitFor(int32_t ticket, const char *what, Message &message) {
  const int status = communicator.wait(communicator.context, ticket, timeout);
  if (status == XFRT_TRANSPORT_LATE) {
    broken = true;
    return message.fail(XFRT_RANK_LOST, "%s: rank %d: %s: %s for %" PRId64 " ms", entry, rank(), what,
                        communicator.message(communicator.context), timeout);
  }
  if (status != XFRT_TRANSPORT_OK)
    return lose(XFRT_TRANSPORT_ERROR, what, communicator.message(communicator.context), message);
  return XFRT_OK;
}

xfrt_status Channel::wait(Batch &batch, const char *what, Message &message) {
  if (batch.ticket < 0)
    return XFRT_OK;
  if (xfrt_status status = waitFor(batch.ticket, what, message))
    return status;
  batch.ticket = -1;
  return readHeaders(batch, what, message);
}
