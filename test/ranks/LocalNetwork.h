//===- LocalNetwork.h - Ranks as threads of one process ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test double of a transport, stricter than most: a message moves while its sender or its receiver looks, a send is
// complete when its receive is there, and memory that waits for a message holds NaN.
//
// Each rank has a clock, which nothing but its own calls move: computing, looking, and waiting for messages, whose way
// takes the time of a model and a delay that a seed draws. So arrivals come in orders that a seed decides, and limits
// of waits cost nobody's time: they pass when no rank can go on.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RANKS_LOCALNETWORK_H
#define XF_TEST_RANKS_LOCALNETWORK_H

#include "xfrt/communicator.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace xfrt {

/// Times are in nanoseconds.
struct NetworkOptions {
  int32_t ranks = 1;
  uint64_t seed = 0;
  int64_t messageTime = 1000;
  int64_t byteTime = 0; // in picoseconds; messages of one rank leave one after the other
  int64_t mostDelay = 0;
  int64_t lostPerMillion = 0; // of messages
  int32_t killed = -1;        // a rank that ends ..
  int64_t killedAfter = 0;    // .. at this call of the transport
};

/// The messages and clocks of all ranks.
class LocalNetwork {
public:
  explicit LocalNetwork(const NetworkOptions &options);

  /// Runs `program` once for each rank, on a thread of its own, and returns when all have returned.
  void run(const std::function<void(const xfrt_communicator &)> &program);

  /// Lets time pass on a rank.
  void compute(int32_t rank, int64_t time);
  int64_t clock(int32_t rank);
  /// What a rank has sent so far, in bytes and in messages.
  int64_t bytesSent(int32_t rank) const { return states[rank].bytesSent; }
  int64_t messagesSent(int32_t rank) const { return states[rank].messagesSent; }
  /// How many messages were lost so far.
  int64_t lost() const { return lostCount; }

private:
  struct Message {
    char *data;
    int64_t bytes;
    int32_t peer;
    bool isSent;
    size_t number;     // of those between the two ranks, in this direction
    int64_t time;      // sent: when it has left; received: when it is asked for
    int64_t delay = 0; // sent: of its way
    bool isLost = false;
    bool isDelivered = false;
  };
  struct Ticket {
    std::vector<Message *> messages;
    bool isUsed = false;
  };
  struct Way { // from one rank to another
    std::vector<Message *> sends, receives;
  };
  struct Rank {
    LocalNetwork *network;
    int32_t number;
    std::vector<Ticket> tickets;
    std::deque<Message> messages;
    std::string text;
    int64_t clock = 0, busyUntil = 0, deadline = 0, calls = 0;
    int64_t bytesSent = 0, messagesSent = 0;
    bool isGone = false, isBlocked = false, isLate = false;
  };

  static int start(void *user, const xfrt_peer_message *sends, int32_t sendCount, const xfrt_peer_message *receives,
                   int32_t receiveCount, void *stream, int32_t *ticket);
  static int wait(void *user, int32_t ticket, int64_t timeout);
  static void abort(void *user, int code, const char *why);
  static const char *message(void *user);
  static void close(xfrt_communicator *communicator);

  uint64_t draw(int32_t from, int32_t to, size_t number, uint64_t purpose) const;
  bool isKilled(Rank &rank);
  void leave(Rank &rank);
  void wake();
  void letOneBeLate();
  void add(Rank &rank, Ticket &ticket, const xfrt_peer_message &given, bool isSent);
  Message *partnerOf(const Rank &rank, const Message &message);
  int64_t completion(const Rank &rank, const Message &message);
  int64_t completion(const Rank &rank, const Ticket &ticket);
  void deliver(Rank &rank, Ticket &ticket);
  std::string lateRanks(const Rank &rank, const Ticket &ticket);

  NetworkOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Rank> states;
  std::map<std::pair<int32_t, int32_t>, Way> ways;
  int64_t lostCount = 0;
};

} // namespace xfrt

#endif // XF_TEST_RANKS_LOCALNETWORK_H
