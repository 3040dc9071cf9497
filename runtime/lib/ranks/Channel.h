//===- Channel.h - Messages that notice what is wrong --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A channel starts and waits for sets of messages of a communicator. In front of each message go 8 bytes, which say how
// its sender fares and which message it is:
//
// - A rank that fails by itself goes on to send, so that nobody waits for it; who receives from it has its status, and
//   says so in turn. Every rank whose results depend on it returns that status at the end of the call.
// - A message that is not the one that was expected (lost, doubled, of another plan) is noticed before its bytes are
//   used.
//
// What is late, and what the transport refuses, ends the channel: messages may be under way, and their memory stays.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_CHANNEL_H
#define XFRT_LIB_RANKS_CHANNEL_H

#include "../../pieces/Array.h"
#include "../Message.h"

#include <memory>

namespace xfrt {

/// Bytes in front of each message.
constexpr int64_t headerBytes = 8;

/// The bytes of a message with its header, rounded up so that the next one can follow it.
inline int64_t alignMessage(int64_t bytes) {
  constexpr int64_t alignment = 8;
  return (headerBytes + bytes + alignment - 1) / alignment * alignment;
}

/// Memory of messages, aligned as by malloc. Null if it could not be allocated.
struct FreePacked {
  void operator()(char *memory) const { free(memory); }
};
using Packed = std::unique_ptr<char[], FreePacked>;
Packed allocatePacked(int64_t bytes);

/// What ranks compare before they exchange anything else.
struct Identity {
  uint64_t plan = 0; // a hash of all that both sides of a message must agree on
  int64_t tokens = 0;
};

/// The call that an identity stands for. What it refers to outlives it.
struct Call {
  const xfrt_model &model;
  const xfrt_entry &entry;
  const int64_t *symbols;
  uint64_t program; // a hash of the model
};

/// A set of messages that start together.
class Batch {
public:
  /// Add a message to or from a peer: headerBytes, and then `bytes` of the caller's. The memory has to remain until the
  /// batch is complete.
  void send(int32_t peer, char *message, int64_t bytes) { sends.push_back({message, bytes + headerBytes, peer}); }
  void receive(int32_t peer, char *message, int64_t bytes) { receives.push_back({message, bytes + headerBytes, peer}); }
  bool empty() const { return sends.empty() && receives.empty(); }
  /// Sets a number that both sides of each message must agree on, besides the identity.
  void seal(uint32_t number) { sealNumber = number; }
  /// Allocates the memory that one message each way takes, and keeps it. Returns false if there is none.
  bool reserve() {
    send(0, nullptr, 0);
    receive(0, nullptr, 0);
    numbers.push_back(0);
    clear();
    return sends.isComplete() && receives.isComplete() && numbers.isComplete();
  }
  /// Forgets the messages of a batch that is complete.
  void clear() {
    sends.clear();
    receives.clear();
    sealNumber = 0;
  }

private:
  friend class Channel;
  Array<xfrt_peer_message> sends, receives;
  Array<uint32_t> numbers; // of the messages that are received
  uint32_t sealNumber = 0;
  int32_t ticket = -1;
};

/// One rank's side of all its messages. For one thread at a time.
class Channel {
public:
  /// `timeout` is the limit of one wait in milliseconds. Texts of failures begin with `entry`, unless it is null.
  Channel(const xfrt_communicator &communicator, int64_t timeout, const char *entry);

  /// Returns whether all its memory could be allocated.
  bool isComplete() const { return hasBatch && sent.isComplete() && received.isComplete(); }
  /// Replaces what texts of failures begin with.
  void setEntry(const char *name) { entry = name; }

  int32_t rank() const { return communicator.rank; }
  int32_t size() const { return communicator.size; }

  /// Lets all ranks learn, before anything else, whether they have the same identity, and whether one of them cannot go
  /// on. `own` is the status of this rank. All ranks return the same status: that of a rank that failed,
  /// XFRT_RANKS_DIFFER if identities differ, or XFRT_OK. The text names the rank. With `call`, two ranks that differ
  /// send each other more, and the text says how their calls differ. Allocates nothing, so that a rank without memory
  /// can say so. A rank sends to the ranks 2^k further on, for each k, so that no rank hears from all.
  xfrt_status agree(const Identity &identity, xfrt_status own, Message &message, const Call *call = nullptr);

  /// Starts a batch. `what` names it in failures, here and below.
  xfrt_status start(Batch &batch, const char *what, Message &message);
  /// Looks whether a batch is complete, and lets messages move.
  xfrt_status look(Batch &batch, const char *what, bool &isComplete, Message &message);
  /// Waits for a batch.
  xfrt_status wait(Batch &batch, const char *what, Message &message);

  /// Whether messages may lie in the memory of a GPU.
  bool reachesGpus() const { return communicator.gpu > 0; }
  /// The parts of what start() and wait() do, for messages that lie in the memory of a GPU. makeHeader returns the
  /// header of the next message to a rank, numberFrom the number of the next one from it. readHeader checks the header
  /// that came with the message of a number.
  uint64_t makeHeader(int32_t peer);
  uint32_t numberFrom(int32_t peer) { return received[size_t(peer)]++; }
  xfrt_status startOn(void *stream, Array<xfrt_peer_message> &sends, Array<xfrt_peer_message> &receives,
                      int32_t &ticket, const char *what, Message &message);
  xfrt_status waitFor(int32_t ticket, const char *what, Message &message);
  xfrt_status readHeader(uint64_t header, uint32_t number, int32_t peer, const char *what, Message &message);

  /// Notes that this rank has failed. It goes on to send and receive, but what it sends is worth nothing.
  void refuse(xfrt_status status);
  /// Returns whether this rank, or a rank whose results it has received, has failed.
  bool hasFailed() const { return failure != XFRT_OK; }
  /// Ends a call. Returns the first failure of this rank and of the ranks whose results it has received, and forgets
  /// it.
  xfrt_status finish(Message &message);

  /// Ends the channel, because messages are under way for which nobody will wait.
  void abandon() { broken = true; }
  /// Returns whether messages may be under way for ever.
  bool isBroken() const { return broken; }
  /// Takes over memory that a batch uses, as long as messages may be under way.
  void keep(Packed memory);

private:
  /// Lets all ranks combine what each of them knows.
  template <typename Knowledge>
  xfrt_status spread(Knowledge &known, Knowledge (*combine)(const Knowledge &, const Knowledge &), Message &message);
  xfrt_status compareCalls(const Call &call, int32_t first, int32_t other, Message &message);
  xfrt_status readHeaders(Batch &batch, const char *what, Message &message);
  xfrt_status checkWhole(const char *what, Message &message) const;
  xfrt_status lose(xfrt_status status, const char *what, const char *words, Message &message);

  const xfrt_communicator &communicator;
  const int64_t timeout;
  const char *entry;
  static constexpr int64_t agreementBytes = 2128; // of two messages
  Packed agreement;                               // memory of its messages; null where there was none
  Batch agreementBatch;                           // with that of their lists
  const bool hasBatch;
  uint32_t plan = 0;              // of the identity
  Array<uint32_t> sent, received; // how many messages, of each peer
  xfrt_status failure = XFRT_OK;
  int32_t failedRank = -1;
  bool broken = false;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_CHANNEL_H
