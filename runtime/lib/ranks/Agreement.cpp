//===- Agreement.cpp - The first exchange of a channel --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channel.h"

#include <cinttypes>
#include <cstring>

using namespace xfrt;

namespace {
/// What is known after comparing some ranks. `firstRank` is the first rank that did not fail. `otherRank` is the first
/// rank that did not fail and has another identity than `firstRank`. `failedRank` is the first rank that failed. A
/// number is -1 if there is no such rank.
struct Known {
  Identity first, other;
  int32_t firstRank = -1, otherRank = -1, failedRank = -1;
  int32_t status = XFRT_OK; // of failedRank
};
} // namespace

static bool areEqual(const Identity &a, const Identity &b) { return a.plan == b.plan && a.tokens == b.tokens; }

/// Combines what is known of two sets of ranks, which may overlap.
static Known combine(const Known &a, const Known &b) {
  const bool isInOrder = b.firstRank < 0 || (a.firstRank >= 0 && a.firstRank <= b.firstRank);
  const Known &low = isInOrder ? a : b, &high = isInOrder ? b : a;
  Known known = low;
  auto differs = [&](int32_t rank, const Identity &identity) {
    if (rank < 0 || areEqual(identity, low.first) || (known.otherRank >= 0 && known.otherRank <= rank))
      return;
    known.otherRank = rank;
    known.other = identity;
  };
  differs(high.firstRank, high.first);
  differs(high.otherRank, high.other);
  if (high.failedRank >= 0 && (known.failedRank < 0 || high.failedRank < known.failedRank)) {
    known.failedRank = high.failedRank;
    known.status = high.status;
  }
  return known;
}

namespace {
/// The calls of two ranks that differ, for the message about the difference.
struct Calls {
  static constexpr int32_t mostSizes = 64;
  struct One {
    uint64_t program = 0;
    int64_t entry = -1; // -1: not known yet
    int64_t sizes[mostSizes] = {};
  };
  One first, other;
};
} // namespace

static Calls combineCalls(const Calls &a, const Calls &b) {
  return {a.first.entry >= 0 ? a.first : b.first, a.other.entry >= 0 ? a.other : b.other};
}

static Calls::One describe(const Call &call) {
  Calls::One one;
  one.program = call.program;
  one.entry = &call.entry - call.model.entries;
  for (int32_t n = 0; n < call.entry.symbol_count && n < Calls::mostSizes; ++n)
    one.sizes[n] = call.symbols[n];
  return one;
}

namespace {
struct Differing {
  int32_t first, other, own; // ranks
};
} // namespace

/// Fails with a message about the difference between the calls of two ranks. This rank may be neither of the two, and
/// its own call may differ from both.
static xfrt_status failDiffering(const char *entry, const Call &call, const Calls &calls, const Differing &ranks,
                                 Message &message) {
  const auto &[expected, got] = calls;
  const auto &[first, other, own] = ranks;
  const bool areOne = expected.program == got.program;
  if (!areOne || expected.program != call.program) // whose names this rank does not know
    return message.fail(XFRT_RANKS_DIFFER, "%s: expected the program of rank %d, got another one on rank %d", entry,
                        first, areOne ? own : other);
  const xfrt_entry &called = call.model.entries[expected.entry];
  if (expected.entry != got.entry)
    return message.fail(XFRT_RANKS_DIFFER, "%s: expected a call of entry %s, as on rank %d, got %s on rank %d", entry,
                        Quoted(called.name).get(), first, Quoted(call.model.entries[got.entry].name).get(), other);
  for (int32_t n = 0; n < called.symbol_count && n < Calls::mostSizes; ++n)
    if (expected.sizes[n] != got.sizes[n])
      return message.fail(XFRT_RANKS_DIFFER,
                          "%s: expected the size %s to be %" PRId64 ", as on rank %d, got %" PRId64 " on rank %d",
                          entry, Quoted(called.symbols[n].name).get(), expected.sizes[n], first, got.sizes[n], other);
  return message.fail(XFRT_RANKS_DIFFER, "%s: expected the sizes of rank %d, got others on rank %d", entry, first,
                      other);
}

template <typename Knowledge>
xfrt_status Channel::spread(Knowledge &known, Knowledge (*combine)(const Knowledge &, const Knowledge &),
                            Message &message) {
  static constexpr const char *what = "comparing plans";
  static constexpr int64_t recordBytes = sizeof(Knowledge);
  static_assert(agreementBytes >= 2 * (headerBytes + recordBytes));
  Packed memory = std::move(agreement);
  if (!memory && !(memory = allocatePacked(agreementBytes)))
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %d bytes", int(agreementBytes));
  char *out = memory.get(), *in = memory.get() + headerBytes + recordBytes;
  xfrt_status status = XFRT_OK;
  for (int32_t distance = 1; distance < size() && status == XFRT_OK; distance *= 2) {
    std::memcpy(out + headerBytes, &known, recordBytes);
    Batch &batch = agreementBatch;
    batch.clear();
    batch.send((rank() + distance) % size(), out, recordBytes);
    batch.receive((rank() - distance % size() + size()) % size(), in, recordBytes);
    if ((status = start(batch, what, message)) == XFRT_OK)
      status = wait(batch, what, message);
    if (status != XFRT_OK)
      break;
    Knowledge theirs;
    std::memcpy(&theirs, in + headerBytes, recordBytes);
    known = combine(known, theirs);
  }
  if (broken)
    keep(std::move(memory));
  else
    agreement = std::move(memory);
  return status;
}

/// Exchanges the calls of ranks `first` and `other`, and fails on all ranks with a message about their difference. All
/// ranks call this function after agree has found that these two differ.
xfrt_status Channel::compareCalls(const Call &call, int32_t first, int32_t other, Message &message) {
  Calls calls;
  if (rank() == first)
    calls.first = describe(call);
  if (rank() == other)
    calls.other = describe(call);
  const xfrt_status status = spread(calls, combineCalls, message);
  return status != XFRT_OK ? status : failDiffering(entry, call, calls, {first, other, rank()}, message);
}

xfrt_status Channel::agree(const Identity &identity, xfrt_status own, Message &message, const Call *call) {
  Known known;
  if (own == XFRT_OK) {
    known.first = identity;
    known.firstRank = rank();
  } else {
    known.failedRank = rank();
    known.status = own;
  }
  if (xfrt_status status = spread(known, combine, message))
    return status;
  if (known.failedRank == rank()) // which may not know its sizes, so that they differ
    return own;                   // whose text is there
  if (known.failedRank >= 0)
    return message.fail(xfrt_status(known.status), "%s: rank %d failed: %s", entry, known.failedRank,
                        xfrt_status_name(known.status));
  if (known.otherRank >= 0 && call)
    return compareCalls(*call, known.firstRank, known.otherRank, message);
  if (known.otherRank >= 0)
    return message.fail(XFRT_RANKS_DIFFER,
                        "%s: expected the plan %016" PRIx64 " of rank %d, got %016" PRIx64 " on rank %d (%" PRId64
                        " tokens there, %" PRId64 " here)",
                        entry, known.first.plan, known.firstRank, known.other.plan, known.otherRank, known.first.tokens,
                        known.other.tokens);
  plan = uint32_t(identity.plan ^ identity.plan >> 32);
  return XFRT_OK;
}
