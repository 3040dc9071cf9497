//===- Ranks.h - What a handle has of several ranks ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank's side of a model's collectives. All members of a group send each other their parts directly. Sums are made in
// the order of members, never in that of arrivals; of a large sum each member makes a part, and the parts are gathered.
// Keys of attention go to those members alone whose queries see them (ExchangeKeys.cpp).
//
// A call begins with an agreement of all ranks, so that none waits for one that refuses its arguments. A rank that
// fails later goes on with its collectives, sends what is worth nothing, and says so in front of each message.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_RANKS_H
#define XFRT_LIB_RANKS_RANKS_H

#include "Channel.h"
#include "ExchangeRuns.h"

namespace xfrt {

struct Parts;

/// The segments of all queries and keys in a call; null: there are none.
struct SegmentBuffers {
  const void *queries = nullptr, *keys = nullptr;
};

/// The name of a kind of collective, in failures.
const char *nameOfCollective(int32_t kind);

/// For one thread at a time. Memory of messages stays from call to call; collectives that are not under way together
/// share it.
class Ranks {
public:
  /// Makes the state of a handle, which `destroy` ends. Null where there is no memory. Requires checkShares.
  static Ranks *create(const xfrt_model &model, const xfrt_options &options);
  static void destroy(Ranks *ranks);

  /// Begins a call: all ranks learn whether they call the same entry of the same program with the same sizes, and
  /// whether one of them cannot go on. Returns `own`, where that is not XFRT_OK, or what all ranks return.
  xfrt_status begin(const xfrt_entry &entry, const int64_t *symbols, xfrt_status own, Message &message);

  /// The members of a collective's group, and which of them this rank is.
  struct Group {
    int32_t size = 1, own = 0;
  };
  Group groupOf(const xfrt_collective &row) const;
  /// The rank of a member of this rank's group.
  int32_t rankOf(const xfrt_collective &row, int32_t member) const;
  /// What moves the messages, also those that a device sends by itself.
  Channel &messages() { return channel; }

  /// Starts a collective of the model, and waits for the end of one. `send`, `segments` and `receive` are its buffers.
  xfrt_status start(const xfrt_collective &row, const int64_t *frame, const char *send, const SegmentBuffers &segments,
                    Message &message);
  xfrt_status wait(const xfrt_collective &row, const int64_t *frame, const char *send, const SegmentBuffers &segments,
                   char *receive, Message &message);

  /// Lets messages move, at most once a millisecond: on a CPU nothing moves while nobody looks.
  xfrt_status look(Message &message);

  /// The memory of messages.
  int64_t messageBytes() const;

  /// This rank goes on with its collectives, but what it sends is worth nothing.
  void refuse(xfrt_status status) { channel.refuse(status); }
  /// Whether this rank or one whose results it received does so.
  bool hasFailed() const { return channel.hasFailed(); }
  /// What this rank and those whose results it received say, at the end of a call.
  xfrt_status finish(Message &message) { return channel.finish(message); }

private:
  /// The messages of one collective.
  struct Transfer {
    Packed memory; // a place for a message to each member, then one for a message from each
    int64_t bytes = 0;
    Batch batch;
    int32_t kind = -1; // of the collective that is under way, or -1

    char *outgoing(int64_t partBytes, int32_t member) { return memory.get() + member * placeBytes(partBytes); }
    char *incoming(const Group &group, int64_t partBytes, int32_t member) {
      return outgoing(partBytes, group.size + member);
    }
    void swapMemory(Transfer &other);
    static int64_t placeBytes(int64_t partBytes) { return headerBytes + (partBytes + 7) / 8 * 8; }
  };

  Ranks(const xfrt_model &model, const xfrt_options &options);
  /// Makes room for messages of `wanted` bytes. Returns false where there is none.
  bool reserve(Transfer &transfer, int64_t wanted);
  Transfer &transferOf(const xfrt_collective &row) { return transfers[&row - model.tables->collectives]; }
  /// Waits for the messages of a collective, of which none is under way then.
  xfrt_status waitFor(Transfer &transfer, const xfrt_collective &row, Message &message);
  const ExchangeRuns *exchangeRunsOf(const xfrt_collective &row, const int64_t *frame, const SegmentBuffers &buffers,
                                     const Group &group);
  void forgetRuns();
  /// Do what start and wait do, for collectives of keys.
  xfrt_status startKeys(const xfrt_collective &row, const int64_t *frame, const char *send,
                        const SegmentBuffers &segments, Message &message);
  xfrt_status waitKeys(const xfrt_collective &row, const int64_t *frame, const char *send,
                       const SegmentBuffers &segments, char *receive, Message &message);
  xfrt_status gatherSum(const xfrt_collective &row, const Parts &parts, const Group &group, char *sum,
                        Message &message);

  const xfrt_model &model;
  Channel channel;
  char entryText[128] = "";      // of the call in progress
  Transfer *transfers = nullptr; // one for each collective of the model
  struct KnownRuns;
  KnownRuns *knownRuns = nullptr; // of the plans that calls have used, at the sizes of the last one
  int32_t underWay = 0;           // of them
  int64_t lastLook = 0;           // in nanoseconds
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_RANKS_H
