//===- Ranks.h - What a handle has of several ranks ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one rank's side of a model's collectives. The members of a group send their parts directly to each other. Sums
// are added in the order of members, so that the order of arrival changes no bit. If a sum is large, each member
// computes one part of it, and all members then gather the parts. A key of attention is sent only to members whose
// queries see it (ExchangeKeys.cpp).
//
// A call begins with an agreement of all ranks, so that no rank waits for one that refuses its arguments. A rank that
// fails later still runs its collectives. The bytes that it sends are undefined, and the header of each message says
// that it has failed.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_RANKS_H
#define XFRT_LIB_RANKS_RANKS_H

#include "Channel.h"
#include "ExchangeRuns.h"

namespace xfrt {

struct Parts;

/// The segments of all queries and keys in a call. Null means that there are none.
struct SegmentBuffers {
  const void *queries = nullptr, *keys = nullptr;
};

/// Returns the name of a kind of collective, for messages of failures.
const char *nameOfCollective(int32_t kind);

/// The ranks that run a model together, as one handle sees them. May be used by one thread at a time. Memory of
/// messages is kept from call to call. Collectives use the same memory, unless they are under way at the same time.
class Ranks {
public:
  /// Creates the state of a handle, which `destroy` releases. Returns null if memory could not be allocated. Requires
  /// checkShares.
  static Ranks *create(const xfrt_model &model, const xfrt_options &options);
  static void destroy(Ranks *ranks);

  /// Begins a call. All ranks agree whether they call the same entry of the same program with the same sizes, and
  /// whether one of them has failed. `own` is the status of this rank. Returns `own` if it is not XFRT_OK, otherwise
  /// the status on which the ranks agree.
  xfrt_status begin(const xfrt_entry &entry, const int64_t *symbols, xfrt_status own, Message &message);

  /// The number of members of a collective's group, and this rank's number among them.
  struct Group {
    int32_t size = 1, own = 0;
  };
  Group groupOf(const xfrt_collective &row) const;
  /// Returns the rank that is member `member` of this rank's group.
  int32_t rankOf(const xfrt_collective &row, int32_t member) const;
  /// The channel of all messages, also of those that a GPU sends by itself.
  Channel &messages() { return channel; }

  /// Start a collective of the model, and wait for its end. `send`, `segments` and `receive` are its buffers.
  xfrt_status start(const xfrt_collective &row, const int64_t *frame, const char *send, const SegmentBuffers &segments,
                    Message &message);
  xfrt_status wait(const xfrt_collective &row, const int64_t *frame, const char *send, const SegmentBuffers &segments,
                   char *receive, Message &message);

  /// Lets messages move, at most once a millisecond. On a CPU messages move only while a function of the transport
  /// runs.
  xfrt_status look(Message &message);

  /// Returns the number of bytes allocated for messages.
  int64_t messageBytes() const;

  /// Notes that this rank has failed with `status`. It goes on with its collectives, but its messages carry the failure
  /// and no results.
  void refuse(xfrt_status status) { channel.refuse(status); }
  /// Returns whether this rank has failed, or a rank whose results it has received.
  bool hasFailed() const { return channel.hasFailed(); }
  /// Ends a call. Returns the first failure of this rank and of the ranks whose results it has received, and clears it.
  xfrt_status finish(Message &message) { return channel.finish(message); }

private:
  /// The messages of one collective, and their memory.
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
  /// Makes sure that `transfer` has memory for messages of `wanted` bytes. Returns false if it could not be allocated.
  bool reserve(Transfer &transfer, int64_t wanted);
  Transfer &transferOf(const xfrt_collective &row) { return transfers[&row - model.tables->collectives]; }
  /// Waits for the messages of a collective. Afterwards it is not under way.
  xfrt_status waitFor(Transfer &transfer, const xfrt_collective &row, Message &message);
  const ExchangeRuns *exchangeRunsOf(const xfrt_collective &row, const int64_t *frame, const SegmentBuffers &buffers,
                                     const Group &group);
  void forgetRuns();
  /// Do the work of start and wait for collectives of keys.
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
