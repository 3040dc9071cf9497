//===- Ranks.cpp - What a handle has of several ranks ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "Parts.h"
#include "xfrt/checksum.h"

#include <new>
#include <numeric>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <utility>

using namespace xfrt;

const char *xfrt::nameOfCollective(int32_t kind) {
  static const char *const names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                      "exchange",   "all_slice",  "return_reduce"};
  return names[kind];
}

//===----------------------------------------------------------------------===//
// Making and ending
//===----------------------------------------------------------------------===//

Ranks::Ranks(const xfrt_model &model, const xfrt_options &options)
    : model(model), channel(*options.communicator, options.timeout_ms, model.name) {}

Ranks *Ranks::create(const xfrt_model &model, const xfrt_options &options) {
  void *memory = malloc(sizeof(Ranks));
  if (!memory)
    return nullptr;
  auto *ranks = new (memory) Ranks(model, options);
  const auto count = size_t(model.tables->collectives_end - model.tables->collectives);
  ranks->transfers = static_cast<Transfer *>(malloc((count + 1) * sizeof(Transfer)));
  for (size_t n = 0; ranks->transfers && n < count; ++n)
    new (ranks->transfers + n) Transfer;
  if (ranks->transfers && ranks->channel.isComplete())
    return ranks;
  destroy(ranks);
  return nullptr;
}

void Ranks::destroy(Ranks *ranks) {
  if (!ranks)
    return;
  const auto count = ranks->model.tables->collectives_end - ranks->model.tables->collectives;
  for (ptrdiff_t n = 0; ranks->transfers && n < count; ++n) {
    if (ranks->channel.isBroken()) // messages may be under way
      ranks->channel.keep(std::move(ranks->transfers[n].memory));
    ranks->transfers[n].~Transfer();
  }
  free(ranks->transfers);
  ranks->forgetRuns();
  ranks->~Ranks();
  free(ranks);
}

xfrt_status Ranks::begin(const xfrt_entry &entry, const int64_t *symbols, xfrt_status own, Message &message) {
  snprintf(entryText, sizeof entryText, "entry %s", Quoted(entry.name).get());
  channel.setEntry(entryText);
  const uint64_t program = xfrt_checksum_bytes(XFRT_CHECKSUM_START, model.content_hash, strlen(model.content_hash));
  uint64_t sum = xfrt_checksum_number(program, uint64_t(&entry - model.entries));
  for (int32_t n = 0; own == XFRT_OK && n < entry.symbol_count; ++n)
    sum = xfrt_checksum_number(sum, uint64_t(symbols[n]));
  const Call call = {model, entry, symbols, xfrt_checksum_end(program)};
  return channel.agree({xfrt_checksum_end(sum), 0}, own, message, &call);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Ranks::Group Ranks::groupOf(const xfrt_collective &row) const {
  Group group;
  int32_t rank = channel.rank();
  for (auto n = int32_t(model.tables->axes_end - model.tables->axes) - 1; n >= 0; --n) {
    const int32_t ranks = model.tables->axes[n].ranks;
    if (row.axes >> n & 1) {
      group.own += rank % ranks * group.size;
      group.size *= ranks;
    }
    rank /= ranks;
  }
  return group;
}

int32_t Ranks::rankOf(const xfrt_collective &row, int32_t member) const {
  int32_t rank = channel.rank(), found = 0, step = 1;
  for (auto n = int32_t(model.tables->axes_end - model.tables->axes) - 1; n >= 0; --n) {
    const int32_t ranks = model.tables->axes[n].ranks;
    const bool isAlong = row.axes >> n & 1;
    found += (isAlong ? member : rank) % ranks * step;
    member = isAlong ? member / ranks : member;
    rank /= ranks;
    step *= ranks;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void Ranks::Transfer::swapMemory(Transfer &other) {
  std::swap(memory, other.memory);
  std::swap(bytes, other.bytes);
}

/// Makes sure that a collective has memory for messages of `wanted` bytes. If its memory is too small, exchanges it for
/// that of a collective that is not under way: the smallest that suffices. If none suffices, replaces the largest by
/// new memory.
bool Ranks::reserve(Transfer &transfer, int64_t wanted) {
  if (wanted <= transfer.bytes)
    return true;
  if (channel.isBroken()) // messages may be under way in any of it
    return false;
  const auto count = model.tables->collectives_end - model.tables->collectives;
  Transfer *best = &transfer;
  for (Transfer *other = transfers; other != transfers + count; ++other) {
    const bool isBetter =
        best->bytes < wanted ? other->bytes > best->bytes : other->bytes >= wanted && other->bytes < best->bytes;
    if (other->kind < 0 && isBetter)
      best = other;
  }
  transfer.swapMemory(*best);
  if (wanted <= transfer.bytes)
    return true;
  transfer.memory.reset();
  transfer.memory = allocatePacked(wanted);
  transfer.bytes = transfer.memory ? wanted : 0;
  return transfer.memory != nullptr;
}

int64_t Ranks::messageBytes() const {
  const auto count = model.tables->collectives_end - model.tables->collectives;
  return std::accumulate(transfers, transfers + count, int64_t(0),
                         [](int64_t sum, const Transfer &transfer) { return sum + transfer.bytes; });
}

xfrt_status Ranks::start(const xfrt_collective &row, const int64_t *frame, const char *send,
                         const SegmentBuffers &segments, Message &message) {
  const Group group = groupOf(row);
  const Parts parts(row, frame, group.size);
  if (!parts.areValid())
    return message.fail(XFRT_BAD_MODEL, "%s: expected parts of equal sizes", nameOfCollective(row.kind));
  if (parts.areKeys)
    return startKeys(row, frame, send, segments, message);
  if (group.size == 1 || row.kind == XFRT_ALL_SLICE)
    return XFRT_OK;
  Transfer &transfer = transferOf(row);
  const int64_t most = parts.mostBytes(), bytes = 2 * group.size * Transfer::placeBytes(most);
  if (!reserve(transfer, bytes)) {
    channel.abandon(); // the others wait for messages of this collective
    return message.fail(XFRT_OUT_OF_MEMORY, "%s: cannot allocate %lld bytes for messages", nameOfCollective(row.kind),
                        (long long)bytes);
  }
  transfer.batch.clear();
  for (int32_t member = 0; member < group.size; ++member) {
    char *const place = transfer.outgoing(most, member);
    if (member != group.own || parts.splits)
      parts.pack(send, member, place + headerBytes);
    if (member == group.own)
      continue;
    transfer.batch.send(rankOf(row, member), place, parts.bytesTo(member));
    transfer.batch.receive(rankOf(row, member), transfer.incoming(group, most, member), parts.bytesTo(group.own));
  }
  transfer.kind = row.kind;
  ++underWay;
  return channel.start(transfer.batch, nameOfCollective(row.kind), message);
}

xfrt_status Ranks::look(Message &message) {
  constexpr int64_t period = 1000000;
  timespec time;
  if (underWay == 0 || clock_gettime(CLOCK_MONOTONIC, &time) != 0)
    return XFRT_OK;
  const int64_t now = int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
  if (now - lastLook < period)
    return XFRT_OK;
  lastLook = now;
  const auto count = model.tables->collectives_end - model.tables->collectives;
  for (ptrdiff_t n = 0; n < count; ++n) {
    bool isComplete;
    if (transfers[n].kind < 0)
      continue;
    if (xfrt_status status = channel.look(transfers[n].batch, nameOfCollective(transfers[n].kind), isComplete, message))
      return status;
  }
  return XFRT_OK;
}

/// Sends to all other members the part of `sum` that this rank has computed, and receives the parts that they have
/// computed.
xfrt_status Ranks::gatherSum(const xfrt_collective &row, const Parts &parts, const Group &group, char *sum,
                             Message &message) {
  Transfer &transfer = transferOf(row);
  const int64_t most = parts.mostBytes();
  transfer.batch.clear();
  for (int32_t member = 0; member < group.size; ++member) {
    if (member == group.own)
      continue;
    char *const place = transfer.outgoing(most, member);
    memcpy(place + headerBytes, sum + parts.offsetOf(group.own), size_t(parts.bytesTo(group.own)));
    transfer.batch.send(rankOf(row, member), place, parts.bytesTo(group.own));
    transfer.batch.receive(rankOf(row, member), transfer.incoming(group, most, member), parts.bytesTo(member));
  }
  xfrt_status status = channel.start(transfer.batch, nameOfCollective(row.kind), message);
  if (status == XFRT_OK)
    status = channel.wait(transfer.batch, nameOfCollective(row.kind), message);
  for (int32_t member = 0; status == XFRT_OK && member < group.size; ++member)
    if (member != group.own)
      memcpy(sum + parts.offsetOf(member), transfer.incoming(group, most, member) + headerBytes,
             size_t(parts.bytesTo(member)));
  return status;
}

xfrt_status Ranks::waitFor(Transfer &transfer, const xfrt_collective &row, Message &message) {
  transfer.kind = -1;
  --underWay;
  return channel.wait(transfer.batch, nameOfCollective(row.kind), message);
}

xfrt_status Ranks::wait(const xfrt_collective &row, const int64_t *frame, const char *send,
                        const SegmentBuffers &segments, char *receive, Message &message) {
  const Group group = groupOf(row);
  const Parts parts(row, frame, group.size);
  if (parts.areKeys)
    return waitKeys(row, frame, send, segments, receive, message);
  if (group.size == 1 || row.kind == XFRT_ALL_SLICE) {
    parts.pack(send, group.own, receive);
    return XFRT_OK;
  }
  Transfer &transfer = transferOf(row);
  if (xfrt_status status = waitFor(transfer, row, message))
    return status;
  const int64_t most = parts.mostBytes();
  auto partOf = [&](int32_t member) -> const char * {
    if (member != group.own)
      return transfer.incoming(group, most, member) + headerBytes;
    if (parts.splits)
      return transfer.outgoing(most, member) + headerBytes;
    return parts.isScattered ? send + parts.offsetOf(member) : send;
  };
  if (!parts.sums) {
    for (int32_t member = 0; member < group.size; ++member)
      parts.join(partOf(member), member, receive);
    return XFRT_OK;
  }
  char *const sum = parts.isScattered ? receive + parts.offsetOf(group.own) : receive;
  for (int32_t member = 0; member < group.size; ++member)
    parts.add(partOf(member), member, sum, parts.bytesTo(group.own));
  return parts.isScattered ? gatherSum(row, parts, group, receive, message) : XFRT_OK;
}
