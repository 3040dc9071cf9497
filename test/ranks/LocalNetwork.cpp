//===- LocalNetwork.cpp - Ranks as threads of one process -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalNetwork.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>

using namespace xfrt;

static constexpr int64_t never = std::numeric_limits<int64_t>::max();
/// What one look costs.
static constexpr int64_t lookTime = 1000;

LocalNetwork::LocalNetwork(const NetworkOptions &options) : options(options) {
  for (int32_t r = 0; r < options.ranks; ++r) {
    states.emplace_back();
    states.back().network = this;
    states.back().number = r;
  }
}

void LocalNetwork::run(const std::function<void(const xfrt_communicator &)> &program) {
  std::vector<std::thread> threads;
  for (Rank &rank : states)
    threads.emplace_back([&] {
      xfrt_communicator communicator = {
          XFRT_COMMUNICATOR_VERSION, rank.number, options.ranks, 0, &rank, start, wait, abort, message, close};
      program(communicator);
      std::lock_guard lock(mutex);
      leave(rank);
    });
  for (std::thread &thread : threads)
    thread.join();
}

void LocalNetwork::compute(int32_t rank, int64_t time) {
  std::lock_guard lock(mutex);
  states[rank].clock += time;
}

int64_t LocalNetwork::clock(int32_t rank) {
  std::lock_guard lock(mutex);
  return states[rank].clock;
}

/// A number of the seed for a message, whatever the order in which threads run.
uint64_t LocalNetwork::draw(int32_t from, int32_t to, size_t number, uint64_t purpose) const {
  uint64_t x = options.seed * 0x9e3779b97f4a7c15 + uint64_t(from) * 0xbf58476d1ce4e5b9 +
               uint64_t(to) * 0x94d049bb133111eb + number * 0xd6e8feb86659fd93 + purpose;
  for (int round = 0; round < 2; ++round) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
  }
  return x ^ x >> 32;
}

//===----------------------------------------------------------------------===//
// Ranks that wait, and ranks that are gone
//===----------------------------------------------------------------------===//

/// Those that wait look again.
void LocalNetwork::wake() {
  for (Rank &rank : states)
    rank.isBlocked = false;
  changed.notify_all();
}

/// A rank that returned or was killed: what it has not yet sent is gone with it.
void LocalNetwork::leave(Rank &rank) {
  rank.isGone = true;
  wake();
}

/// Where no rank can go on, the limit of one passes: of the one whose limit is first.
void LocalNetwork::letOneBeLate() {
  Rank *first = nullptr;
  for (Rank &rank : states) {
    if (rank.isGone)
      continue;
    if (!rank.isBlocked)
      return;
    if (!first || rank.deadline < first->deadline)
      first = &rank;
  }
  if (first) {
    first->isLate = true;
    wake();
  }
}

bool LocalNetwork::isKilled(Rank &rank) {
  if (rank.number != options.killed || ++rank.calls <= options.killedAfter)
    return false;
  rank.text = "this rank was killed";
  if (!rank.isGone)
    leave(rank);
  return true;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void LocalNetwork::add(Rank &rank, Ticket &ticket, const xfrt_peer_message &given, bool isSent) {
  auto key = isSent ? std::pair(rank.number, given.peer) : std::pair(given.peer, rank.number);
  Way &way = ways[key];
  std::vector<Message *> &list = isSent ? way.sends : way.receives;
  Message message = {static_cast<char *>(given.data), given.bytes, given.peer, isSent, list.size(), rank.clock};
  if (isSent) {
    rank.busyUntil = std::max(rank.busyUntil, rank.clock) + given.bytes * options.byteTime / 1000;
    message.time = rank.busyUntil;
    message.delay = options.messageTime;
    if (options.mostDelay > 0)
      message.delay += int64_t(draw(key.first, key.second, list.size(), 1) % uint64_t(options.mostDelay));
    message.isLost = int64_t(draw(key.first, key.second, list.size(), 2) % 1000000) < options.lostPerMillion;
    lostCount += message.isLost;
    rank.bytesSent += given.bytes;
    ++rank.messagesSent;
  } else {
    std::memset(given.data, 0xff, size_t(given.bytes));
  }
  rank.messages.push_back(message);
  list.push_back(&rank.messages.back());
  ticket.messages.push_back(&rank.messages.back());
}

LocalNetwork::Message *LocalNetwork::partnerOf(const Rank &rank, const Message &message) {
  auto key = message.isSent ? std::pair(rank.number, message.peer) : std::pair(message.peer, rank.number);
  std::vector<Message *> &others = message.isSent ? ways[key].receives : ways[key].sends;
  return message.number < others.size() ? others[message.number] : nullptr;
}

/// When a message of this rank is complete; `never` where that is not known yet.
int64_t LocalNetwork::completion(const Rank &rank, const Message &message) {
  if (message.isDelivered)
    return message.time;
  if (message.isSent && message.isLost)
    return message.time;
  const Message *partner = partnerOf(rank, message);
  if (!partner || states[message.peer].isGone)
    return never;
  if (message.isSent)
    return std::max(message.time, partner->time);
  return partner->isLost ? never : std::max(message.time, partner->time) + partner->delay;
}

int64_t LocalNetwork::completion(const Rank &rank, const Ticket &ticket) {
  int64_t time = 0;
  for (const Message *message : ticket.messages)
    time = std::max(time, completion(rank, *message));
  return time;
}

void LocalNetwork::deliver(Rank &rank, Ticket &ticket) {
  for (Message *message : ticket.messages) {
    Message *partner = partnerOf(rank, *message);
    if (message->isDelivered || message->isLost || !partner)
      continue;
    Message *from = message->isSent ? message : partner, *to = message->isSent ? partner : message;
    if (from->bytes != to->bytes) {
      std::fprintf(stderr, "expected a message of %lld bytes from rank %d to rank %d, got %lld\n", (long long)to->bytes,
                   to->peer, from->peer, (long long)from->bytes);
      std::abort();
    }
    std::memcpy(to->data, from->data, size_t(from->bytes));
    to->time = std::max(to->time, from->time) + from->delay;
    from->time = std::max(from->time, to->time - from->delay);
    from->isDelivered = to->isDelivered = true;
  }
}

std::string LocalNetwork::lateRanks(const Rank &rank, const Ticket &ticket) {
  std::string late;
  for (bool isSent : {false, true})
    for (const Message *message : ticket.messages)
      if (message->isSent == isSent && completion(rank, *message) > rank.deadline) {
        std::string name = " " + std::to_string(message->peer);
        if (late.empty())
          late = (isSent ? "no answer of ranks" : "no message from ranks") + name;
        else if (!late.ends_with(name))
          late += "," + name;
      }
  return late;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

int LocalNetwork::start(void *user, const xfrt_peer_message *sends, int32_t sendCount,
                        const xfrt_peer_message *receives, int32_t receiveCount, void *, int32_t *number) {
  Rank &rank = *static_cast<Rank *>(user);
  LocalNetwork &network = *rank.network;
  std::lock_guard lock(network.mutex);
  if (network.isKilled(rank))
    return XFRT_TRANSPORT_FAILED;
  size_t free = 0;
  while (free < rank.tickets.size() && rank.tickets[free].isUsed)
    ++free;
  if (free == rank.tickets.size())
    rank.tickets.emplace_back();
  Ticket &ticket = rank.tickets[free];
  ticket.messages.clear();
  ticket.isUsed = true;
  for (int32_t n = 0; n < receiveCount; ++n)
    network.add(rank, ticket, receives[n], false);
  for (int32_t n = 0; n < sendCount; ++n)
    network.add(rank, ticket, sends[n], true);
  *number = int32_t(free);
  network.wake();
  return XFRT_TRANSPORT_OK;
}

int LocalNetwork::wait(void *user, int32_t number, int64_t timeout) {
  Rank &rank = *static_cast<Rank *>(user);
  LocalNetwork &network = *rank.network;
  std::unique_lock lock(network.mutex);
  if (network.isKilled(rank))
    return XFRT_TRANSPORT_FAILED;
  Ticket &ticket = rank.tickets[size_t(number)];
  rank.deadline = rank.clock + timeout * 1000000;
  rank.isLate = false;
  for (;;) {
    int64_t time = network.completion(rank, ticket);
    if (time <= rank.deadline) {
      rank.clock = std::max(rank.clock, time);
      network.deliver(rank, ticket);
      ticket.isUsed = false;
      network.wake();
      return XFRT_TRANSPORT_OK;
    }
    if (timeout == 0) {
      rank.clock += lookTime;
      return XFRT_TRANSPORT_LATE;
    }
    if (time != never || rank.isLate)
      break;
    rank.isBlocked = true;
    network.letOneBeLate();
    network.changed.wait(lock, [&] { return !rank.isBlocked; });
  }
  rank.clock = rank.deadline;
  rank.text = network.lateRanks(rank, ticket);
  return XFRT_TRANSPORT_LATE;
}

void LocalNetwork::abort(void *, int code, const char *why) {
  std::fprintf(stderr, "%s\n", why);
  std::_Exit(code);
}

const char *LocalNetwork::message(void *user) { return static_cast<Rank *>(user)->text.c_str(); }

void LocalNetwork::close(xfrt_communicator *communicator) { *communicator = {}; }
