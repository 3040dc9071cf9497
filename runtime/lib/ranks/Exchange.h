//===- Exchange.h - Bringing rows to who computes with them, and back  -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows travel as a plan's routes say. Outward, in stages: while a rank computes with one, the next one comes, into two
// buffers in turn. What a rank receives is read where it arrives. Homeward, partial results take the same ways back:
// who passed a token on adds what comes back for it to what it has itself, and sends the sum. Sums are made in the
// order of routes, never in that of arrivals.
//
// A rank that finds no memory for a message cannot send it, and others wait for it up to their limit. So exchanges are
// reserved before the ranks agree (Channel::agree), where a rank says that it failed and all return its status.
//
// Exchanges of a channel start one after the other, and the next one starts when all waves of the one before that may
// start have: `start` waits for what has to be passed on.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_EXCHANGE_H
#define XFRT_LIB_RANKS_EXCHANGE_H

#include "Channel.h"
#include "Routes.h"
#include "Rows.h"

namespace xfrt {

/// Rows of tokens on their way from owners to those who compute with them.
class Gather {
public:
  /// Rows have `headBytes` for each head. `what` names the exchange in failures.
  Gather(Channel &channel, const Routes &routes, int64_t headBytes, const char *what);
  ~Gather();
  Gather(const Gather &) = delete;
  Gather &operator=(const Gather &) = delete;

  /// Allocates the two buffers and what is sent in the first two stages, which `start` otherwise does. Errors:
  /// XFRT_OUT_OF_MEMORY.
  xfrt_status reserve(Message &message);
  /// Bytes of both buffers.
  int64_t bufferBytes() const { return stageBytes[0] + stageBytes[1]; }

  /// Starts the first two stages. `own` has the rank's own tokens; its memory remains until the end.
  xfrt_status start(const Rows &own, Message &message);
  /// Lets messages move, and passes on what has come. To be called between tiles.
  xfrt_status look(Message &message);
  /// Waits for a stage; stages are waited for in their order.
  xfrt_status wait(int32_t stage, Message &message);
  /// The bytes of one head of a token that came in a stage, or null. Valid until the stage is released.
  const char *find(int32_t stage, int64_t token, int64_t head) const;
  /// Computing with a stage is over: the next but one starts, in its buffer.
  xfrt_status release(int32_t stage, Message &message);
  /// Waits until all is received and sent.
  xfrt_status finish(Message &message);

private:
  xfrt_status post(size_t wave, Message &message);
  xfrt_status postAll(Message &message);
  xfrt_status complete(size_t wave, Message &message);
  xfrt_status reserveSent(uint32_t number, Message &message);
  bool passesOn(const Wave &wave) const;
  bool mayPost(size_t wave) const;
  char *place(const Leg &leg, size_t number) { return buffers[leg.stage % 2].get() + offsets[number]; }
  int64_t bytesOf(const Leg &leg) const { return leg.rows() * headBytes; }

  Channel &channel;
  const Routes &routes;
  const int64_t headBytes;
  const char *what;
  Rows own;
  int64_t stageBytes[2] = {0, 0};
  Packed buffers[2];
  std::vector<int64_t> offsets;                // of the messages received, in the buffer of their stage
  std::vector<std::vector<uint32_t>> passedOn; // messages sent with tokens of each that is received
  std::vector<Rows> arrived;                   // of each message received
  std::vector<Packed> packed;                  // each message sent, as long as it needs to be
  std::vector<Batch> batches;                  // of waves
  size_t posted = 0, completed = 0;            // waves
  int32_t stagesAllowed = 2;
};

/// Partial results of received rows on their way to where they came from.
class Homeward {
public:
  /// Rows have `headBytes` for each head. `what` names the exchange in failures.
  Homeward(Channel &channel, const Routes &routes, int64_t headBytes, const char *what);
  ~Homeward();
  Homeward(const Homeward &) = delete;
  Homeward &operator=(const Homeward &) = delete;

  /// Allocates the messages of the largest wave, which `run` otherwise does. Errors: XFRT_OUT_OF_MEMORY.
  xfrt_status reserve(Message &message);

  /// `held` has the rows that the rank received, with what it has computed for them; `own` those of its own tokens.
  /// Both have what others computed merged into them: `own` then has the results.
  xfrt_status run(const Rows &own, const Rows &held, Rows::Merge merge, Message &message);

private:
  int64_t messageBytes(const Leg &leg) const;
  xfrt_status runWave(const Wave &wave, const Rows &own, const Rows &held, Rows::Merge merge, Message &message);

  Channel &channel;
  const Routes &routes;
  const int64_t headBytes;
  const char *what;
  int64_t waveBytes = 0;
  Packed memory; // of one wave after the other
};

/// Reserves and runs a Homeward.
xfrt_status bringHome(Channel &channel, const Routes &routes, int64_t headBytes, const char *what, const Rows &own,
                      const Rows &held, Rows::Merge merge, Message &message);

} // namespace xfrt

#endif // XFRT_LIB_RANKS_EXCHANGE_H
