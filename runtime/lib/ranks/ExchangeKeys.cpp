//===- ExchangeKeys.cpp - Keys that pairs use, and back -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements XFRT_EXCHANGE and XFRT_RETURN_REDUCE. The operands have a matrix for each batch entry and head, with a row
// for each key. XFRT_EXCHANGE sends a message to each member that needs keys of this member. The message has the rows
// of these keys (ExchangeRuns) in every matrix. XFRT_RETURN_REDUCE sends the same rows back. A member begins with its
// own rows and adds the returned ones in the order of members.
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Ranks.h"

#include <new>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// ExchangeRuns
//===----------------------------------------------------------------------===//

struct Ranks::KnownRuns {
  int32_t plan, axes, segments; // fields of the collective
  ExchangeRuns exchange;
  KnownRuns *next; // used before

  bool isOf(const xfrt_collective &row) const {
    return plan == row.plan && axes == row.axes && segments == row.segment_dtype;
  }
};

void Ranks::forgetRuns() {
  while (KnownRuns *known = knownRuns) {
    knownRuns = known->next;
    known->~KnownRuns();
    free(known);
  }
}

/// Returns the runs of keys that the collective `row` exchanges in `group`, at the sizes in the frame and with the
/// segments in `buffers`. Returns null if memory could not be allocated. Keeps the last results, because similar layers
/// share a plan, and take turns with a few lists of segments.
const ExchangeRuns *Ranks::exchangeRunsOf(const xfrt_collective &row, const int64_t *frame,
                                          const SegmentBuffers &buffers, const Group &group) {
  CallSegments segments;
  if (row.segment_dtype != 0)
    segments = {buffers.queries, buffers.keys, frame[row.segment_lists], row.segment_dtype == XFRT_I64};
  const int64_t queries = frame[row.queries], keys = frame[row.keys];
  const int most = segments.queries ? 4 : 1;
  int count = 0;
  KnownRuns **place = nullptr; // of this exchange, or else of those that were used least recently
  for (KnownRuns **next = &knownRuns; *next; next = &(*next)->next)
    if ((*next)->isOf(row)) {
      place = next;
      ++count;
      if ((*next)->exchange.areKnown(queries, keys, group.size, segments)) {
        count = most;
        break;
      }
    }
  KnownRuns *known = nullptr;
  if (count < most) {
    void *memory = malloc(sizeof(KnownRuns));
    if (!memory)
      return nullptr;
    known = new (memory) KnownRuns{row.plan, row.axes, row.segment_dtype, {}, nullptr};
  } else {
    known = *place;
    *place = known->next;
  }
  known->next = knownRuns;
  knownRuns = known;
  const bool isFound =
      known->exchange.find(model.tables->plans + row.plan, queries, keys, group.size, group.own, segments);
  return isFound ? &known->exchange : nullptr;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// The keys that this member sends to `member`, or receives from it.
struct MemberKeys {
  const ExchangeRuns &exchange;
  int32_t member;
  bool areSent; // by this member

  int64_t lists() const { return exchange.lists(); }
  ExchangeRuns::Runs of(int64_t list) const {
    return areSent ? exchange.sentTo(member, list) : exchange.receivedFrom(member, list);
  }
  /// Returns the number of keys in all lists.
  int64_t count() const {
    int64_t keys = 0;
    for (int64_t list = 0; list < lists(); ++list)
      keys += of(list).keys;
    return keys;
  }
};

/// The layout of a buffer of matrices whose rows belong to keys: either all keys of the group, or only those of one
/// member.
struct KeyRows {
  int64_t matrices, keys, rowBytes;
  int64_t chunk = 0, members = 1; // of a member's own: the keys of a chunk, and the members that chunks go to

  int64_t placeOf(int64_t key) const { return chunk == 0 ? key : key / chunk / members * chunk + key % chunk; }

  /// Returns the bytes of a message with the rows of `member`'s keys. The matrices are divided equally among the lists
  /// of segments.
  int64_t bytesOf(const MemberKeys &member) const {
    return member.lists() > 0 ? matrices / member.lists() * member.count() * rowBytes : 0;
  }

  /// Calls body(byte offset in the buffer, byte offset in the message, bytes) for the rows of each run.
  template <typename Body>
  void forEachRun(const MemberKeys &member, Body body) const {
    int64_t packed = 0;
    for (int64_t matrix = 0; matrix < matrices; ++matrix)
      for (const KeyRun &run : member.of(matrix * member.lists() / matrices)) {
        const int64_t bytes = (run.end - run.begin) * rowBytes;
        body((matrix * keys + placeOf(run.begin)) * rowBytes, packed, bytes);
        packed += bytes;
      }
  }
  void pack(const char *buffer, const MemberKeys &member, char *message) const {
    forEachRun(member, [=](int64_t at, int64_t packed, int64_t bytes) {
      memcpy(message + packed, buffer + at, size_t(bytes));
    });
  }
  void unpack(const char *message, const MemberKeys &member, char *buffer) const {
    forEachRun(member, [=](int64_t at, int64_t packed, int64_t bytes) {
      memcpy(buffer + at, message + packed, size_t(bytes));
    });
  }
  void add(const Parts &parts, const char *message, const MemberKeys &member, char *buffer) const {
    constexpr int32_t notFirst = 1;
    forEachRun(member, [&](int64_t at, int64_t packed, int64_t bytes) {
      parts.add(message + packed, notFirst, buffer + at, bytes);
    });
  }
};
} // namespace

/// Return the layouts of buffers with the rows of all keys, and with those of a member's own keys.
static KeyRows allRows(const xfrt_collective &row, const int64_t *frame, const Parts &parts) {
  const int64_t keys = frame[row.keys];
  return {parts.runs(), keys * parts.members, keys > 0 ? parts.runBytes() / keys : 0};
}
static KeyRows ownRows(const xfrt_collective &row, const int64_t *frame, const Parts &parts, int64_t chunks) {
  KeyRows rows = allRows(row, frame, parts);
  rows.keys = frame[row.keys];
  rows.chunk = rows.keys / chunks;
  rows.members = parts.members;
  return rows;
}

/// Returns whether the numbers of queries and keys are valid and divided by `chunks`, and whether a run of a part is
/// divided into equal rows, one for each key.
static bool areKeys(const xfrt_collective &row, const int64_t *frame, const Parts &parts, int64_t chunks) {
  constexpr int64_t most = int64_t(1) << 40;
  const int64_t queries = frame[row.queries], keys = frame[row.keys];
  const int64_t lists = row.segment_dtype != 0 ? frame[row.segment_lists] : 1;
  const bool areLists = lists > 0 ? parts.runs() % lists == 0 : lists == 0 && parts.runs() == 0;
  return areLists && queries >= 0 && queries <= most / parts.members && keys >= 0 && keys <= most / parts.members &&
         queries % chunks == 0 && keys % chunks == 0 &&
         (keys == 0 ? parts.runBytes() == 0 : parts.runBytes() % keys == 0);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

xfrt_status Ranks::startKeys(const xfrt_collective &row, const int64_t *frame, const char *send,
                             const SegmentBuffers &segments, Message &message) {
  const Group group = groupOf(row);
  const Parts parts(row, frame, group.size);
  const int64_t chunks = chunksOf(model.tables->plans + row.plan);
  if (!areKeys(row, frame, parts, chunks))
    return message.fail(XFRT_BAD_MODEL, "%s: expected rows of keys in each part", nameOfCollective(row.kind));
  if (group.size == 1)
    return XFRT_OK;
  if (row.segment_dtype != 0 && frame[row.keys] > 0 && !segments.keys)
    return message.fail(XFRT_BAD_MODEL, "%s: expected segments in the memory of the host", nameOfCollective(row.kind));
  const bool isOutward = row.kind == XFRT_EXCHANGE;
  const KeyRows rows = isOutward ? ownRows(row, frame, parts, chunks) : allRows(row, frame, parts);
  const ExchangeRuns *const exchange = exchangeRunsOf(row, frame, segments, group);
  auto sentTo = [&](int32_t member) { return MemberKeys{*exchange, member, isOutward}; };
  auto receivedFrom = [&](int32_t member) { return MemberKeys{*exchange, member, !isOutward}; };
  int64_t bytes = 0;
  for (int32_t member = 0; exchange && member < group.size; ++member)
    bytes += alignMessage(rows.bytesOf(sentTo(member))) + alignMessage(rows.bytesOf(receivedFrom(member)));
  Transfer &transfer = transferOf(row);
  if (!exchange || !reserve(transfer, bytes)) {
    channel.abandon(); // the others wait for messages of this collective
    return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for messages", nameOfCollective(row.kind),
                        (long long)bytes);
  }
  transfer.batch.clear();
  transfer.batch.seal(exchange->seal());
  char *place = transfer.memory.get();
  auto next = [&](const MemberKeys &keys) {
    char *const found = place;
    place += alignMessage(rows.bytesOf(keys));
    return found;
  };
  for (int32_t member = 0; member < group.size; ++member) {
    const MemberKeys out = sentTo(member), in = receivedFrom(member);
    char *const outgoing = next(out), *const incoming = next(in);
    if (out.count() > 0) {
      rows.pack(send, out, outgoing + headerBytes);
      transfer.batch.send(rankOf(row, member), outgoing, rows.bytesOf(out));
    }
    if (in.count() > 0)
      transfer.batch.receive(rankOf(row, member), incoming, rows.bytesOf(in));
  }
  transfer.kind = row.kind;
  ++underWay;
  return channel.start(transfer.batch, nameOfCollective(row.kind), message);
}

xfrt_status Ranks::waitKeys(const xfrt_collective &row, const int64_t *frame, const char *send,
                            const SegmentBuffers &segments, char *receive, Message &message) {
  const Group group = groupOf(row);
  const Parts parts(row, frame, group.size);
  const bool isOutward = row.kind == XFRT_EXCHANGE;
  const int64_t chunks = chunksOf(model.tables->plans + row.plan);
  const KeyRows all = allRows(row, frame, parts), own = ownRows(row, frame, parts, chunks);
  const int64_t chunkBytes = own.chunk * own.rowBytes;
  for (int64_t matrix = 0; matrix < own.matrices; ++matrix)
    for (int64_t turn = 0; turn < chunks; ++turn) {
      const int64_t part = (matrix * chunks + turn) * chunkBytes;
      const int64_t place = (matrix * chunks * group.size + zigzagChunk(turn, group.own, group.size)) * chunkBytes;
      memcpy(receive + (isOutward ? place : part), send + (isOutward ? part : place), size_t(chunkBytes));
    }
  if (group.size == 1)
    return XFRT_OK;
  Transfer &transfer = transferOf(row);
  if (xfrt_status status = waitFor(transfer, row, message))
    return status;
  const ExchangeRuns *const exchange =
      exchangeRunsOf(row, frame, segments, group); // found when it started, unless others of other sizes did since
  if (!exchange) {
    channel.abandon(); // the others wait for messages of the next collective
    return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate a list of keys", nameOfCollective(row.kind));
  }
  const char *place = transfer.memory.get();
  for (int32_t member = 0; member < group.size; ++member) {
    const MemberKeys out = {*exchange, member, isOutward}, in = {*exchange, member, !isOutward};
    const char *const incoming = place + alignMessage(own.bytesOf(out)) + headerBytes;
    place += alignMessage(own.bytesOf(out)) + alignMessage(own.bytesOf(in));
    if (isOutward)
      all.unpack(incoming, in, receive);
    else
      own.add(parts, incoming, in, receive);
  }
  return XFRT_OK;
}
