//===- Channel.h - Messages that notice what is wrong --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A channel starts sets of messages of a communicator and waits for them. Each message begins with a header of 8 bytes:
// the message's number, and the failure of its sender, if any.
//
// - A rank that fails still sends its messages, so that no other rank waits for it. A rank that receives such a message
// takes over the sender's status and passes it on. So every rank whose results depend on the failed rank returns the
// failed rank's status at the end of the call.
// - The number tells whether this is the message that was expected. It is not if a message was lost or sent twice, or
// if the ranks run different plans. The number is checked before the message's bytes are used.
//
// A message that is late, or that the transport refuses, breaks the channel. The memory of messages is then kept,
// because the transport may still use it.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_CHANNEL_H
#define XFRT_LIB_RANKS_CHANNEL_H

#include "../../pieces/Array.h"
#include "../Message.h"

#include <memory>

namespace xfrt {

/// The number of bytes of the header in front of each message.
constexpr int64_t headerBytes = 8;

/// Returns the size of a message of `bytes` bytes with its header, rounded up so that another message can follow it.
inline int64_t alignMessage(int64_t bytes) {
  constexpr int64_t alignment = 8;
  return (headerBytes + bytes + alignment - 1) / alignment * alignment;
}

/// Memory of messages, aligned as by malloc. It is null if the allocation failed.
struct FreePacked {
  void operator()(char *memory) const { free(memory); }
};
using Packed = std::unique_ptr<char[], FreePacked>;
Packed allocatePacked(int64_t bytes);

/// Numbers that all ranks compare before they exchange anything else.
struct Identity {
  uint64_t plan = 0; // a hash of all that both sides of a message must agree on
  int64_t tokens = 0;
};

/// The call for which an identity is compared. The objects to which a Call refers must outlive it.
struct Call {
  const xfrt_model &model;
  const xfrt_entry &entry;
  const int64_t *symbols;
  uint64_t program; // a hash of the model
};

/// A set of messages that start together.
class Batch {
public:
  /// Add a message to or from `peer`. `message` is memory that begins with headerBytes bytes for the header, followed
  /// by the caller's `bytes` bytes. It must not be freed until the batch is complete.
  void send(int32_t peer, char *message, int64_t bytes) { sends.push_back({message, bytes + headerBytes, peer}); }
  void receive(int32_t peer, char *message, int64_t bytes) { receives.push_back({message, bytes + headerBytes, peer}); }
  bool empty() const { return sends.empty() && receives.empty(); }
  /// Sets a number that both sides of each message must agree on, besides the identity.
  void seal(uint32_t number) { sealNumber = number; }
  /// Allocates the memory for the lists of a batch with one message in each direction, so that adding such messages
  /// cannot fail later. Returns false if the memory could not be allocated.
  bool reserve() {
    send(0, nullptr, 0);
    receive(0, nullptr, 0);
    numbers.push_back(0);
    clear();
    return sends.isComplete() && receives.isComplete() && numbers.isComplete();
  }
  /// Removes the messages of a complete batch.
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

/// One rank's end of all messages between ranks. May be used by one thread at a time.
class Channel {
public:
  /// `timeout` is the limit of one wait in milliseconds. Messages of failures begin with `entry`, unless it is null.
  Channel(const xfrt_communicator &communicator, int64_t timeout, const char *entry);

  /// Returns whether all memory of the channel could be allocated.
  bool isComplete() const { return hasBatch && sent.isComplete() && received.isComplete(); }
  /// Sets the text with which messages of failures begin.
  void setEntry(const char *name) { entry = name; }

  int32_t rank() const { return communicator.rank; }
  int32_t size() const { return communicator.size; }

  /// Lets all ranks agree, before anything else, whether they have the same identity and whether one of them has
  /// failed. `own` is the status of this rank. All ranks return the same status: that of a rank that failed,
  /// XFRT_RANKS_DIFFER if identities differ, or XFRT_OK. The message names the rank. With `call`, it also tells how the
  /// calls of two ranks differ.
  ///
  /// Allocates nothing, so that a rank without memory can take part. In round k each rank sends to the rank 2^k further
  /// on, so that no rank receives from all.
  xfrt_status agree(const Identity &identity, xfrt_status own, Message &message, const Call *call = nullptr);

  /// Starts to send and to receive the messages of a batch. `what` names the batch in failures, here and below.
  xfrt_status start(Batch &batch, const char *what, Message &message);
  /// Checks, without waiting, whether a batch is complete, and lets messages move.
  xfrt_status look(Batch &batch, const char *what, bool &isComplete, Message &message);
  /// Waits until a batch is complete.
  xfrt_status wait(Batch &batch, const char *what, Message &message);

  /// Returns whether messages may lie in the memory of a GPU.
  bool reachesGpus() const { return communicator.gpu > 0; }
  /// For messages in GPU memory, which the caller of these functions sends itself. makeHeader returns the header of the
  /// next message to a rank. numberFrom returns the number of the next message from a rank. readHeader verifies the
  /// header of the message with a given number.
  uint64_t makeHeader(int32_t peer);
  uint32_t numberFrom(int32_t peer) { return received[size_t(peer)]++; }
  xfrt_status startOn(void *stream, Array<xfrt_peer_message> &sends, Array<xfrt_peer_message> &receives,
                      int32_t &ticket, const char *what, Message &message);
  xfrt_status waitFor(int32_t ticket, const char *what, Message &message);
  xfrt_status readHeader(uint64_t header, uint32_t number, int32_t peer, const char *what, Message &message);

  /// Notes that this rank has failed with `status`. It still sends and receives, but its messages carry the failure and
  /// no results.
  void refuse(xfrt_status status);
  /// Returns whether this rank has failed, or a rank whose results it has received.
  bool hasFailed() const { return failure != XFRT_OK; }
  /// Ends a call. Returns the first failure of this rank and of the ranks whose results it has received, and clears it.
  xfrt_status finish(Message &message);

  /// Marks the channel as broken, because messages are under way for which nobody will wait.
  void abandon() { broken = true; }
  /// Returns whether the channel is broken, so that messages may be under way for ever.
  bool isBroken() const { return broken; }
  /// Frees `memory`, which batches have used. If the channel is broken, keeps it until the process ends instead.
  void keep(Packed memory);

private:
  /// Exchanges and combines what the ranks know. Afterwards `known` is the same on all ranks.
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
