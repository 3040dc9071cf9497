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
/// What is known of some ranks: the first one that did not fail, the first one that differs from it, and the first one
/// that failed, whose identity says nothing; -1 where there is none.
struct Known {
  Identity first, other;
  int32_t firstRank = -1, otherRank = -1, failedRank = -1;
  int32_t status = XFRT_OK; // of the one that failed
};
} // namespace

static bool areEqual(const Identity &a, const Identity &b) { return a.plan == b.plan && a.tokens == b.tokens; }

/// What is known of the ranks of both; some may be in both.
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

xfrt_status Channel::agree(const Identity &identity, xfrt_status own, Message &message) {
  static constexpr const char *what = "comparing plans";
  static constexpr int64_t recordBytes = sizeof(Known);
  Known known;
  if (own == XFRT_OK) {
    known.first = identity;
    known.firstRank = rank();
  } else {
    known.failedRank = rank();
    known.status = own;
  }
  static_assert(agreementBytes == 2 * (headerBytes + recordBytes));
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
    Known theirs;
    std::memcpy(&theirs, in + headerBytes, recordBytes);
    known = combine(known, theirs);
  }
  if (broken)
    keep(std::move(memory));
  else
    agreement = std::move(memory);
  if (status != XFRT_OK)
    return status;
  if (known.failedRank == rank()) // which may not know its sizes, so that they differ
    return own;                   // whose text is there
  if (known.failedRank >= 0)
    return message.fail(xfrt_status(known.status), "%s: rank %d failed: %s", entry, known.failedRank,
                        xfrt_status_name(known.status));
  if (known.otherRank >= 0 && known.first.tokens == 0 && known.other.tokens == 0)
    return message.fail(XFRT_RANKS_DIFFER,
                        "%s: expected the program and sizes %016" PRIx64 " of rank %d, got %016" PRIx64 " on rank %d",
                        entry, known.first.plan, known.firstRank, known.other.plan, known.otherRank);
  if (known.otherRank >= 0)
    return message.fail(XFRT_RANKS_DIFFER,
                        "%s: expected the plan %016" PRIx64 " of rank %d, got %016" PRIx64 " on rank %d (%" PRId64
                        " tokens there, %" PRId64 " here)",
                        entry, known.first.plan, known.firstRank, known.other.plan, known.otherRank, known.first.tokens,
                        known.other.tokens);
  plan = uint32_t(identity.plan ^ identity.plan >> 32);
  return XFRT_OK;
}
