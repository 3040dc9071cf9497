//===- Parts.cpp - Parts of a collective's buffers ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "../Memory.h"

#include <string.h>

using namespace xfrt;

/// The largest size in bytes of a sum that each member computes as a whole. If a sum is larger and there are more than
/// two members, each member computes a part of it and sends the part to the other members. So no member sends all of
/// its numbers to all others.
static constexpr int64_t mostWholeBytes = 16 << 10;

Parts::Parts(const xfrt_collective &row, const int64_t *frame, int32_t members)
    : splits(row.kind == XFRT_REDUCE_SCATTER || row.kind == XFRT_ALL_TO_ALL || row.kind == XFRT_ALL_SLICE ||
             row.kind == XFRT_RETURN_REDUCE),
      joins(row.kind == XFRT_ALL_GATHER || row.kind == XFRT_ALL_TO_ALL || row.kind == XFRT_EXCHANGE),
      sums(row.kind == XFRT_ALL_REDUCE || row.kind == XFRT_REDUCE_SCATTER),
      areKeys(row.kind == XFRT_EXCHANGE || row.kind == XFRT_RETURN_REDUCE), members(members),
      sendRuns(frame[row.send_runs]), sendBytes(frame[row.send_bytes]), receiveRuns(frame[row.receive_runs]),
      receiveBytes(frame[row.receive_bytes]), dtype(row.dtype) {
  isScattered = row.kind == XFRT_ALL_REDUCE && members > 2 && sendBytes > mostWholeBytes;
}

bool Parts::areValid() const {
  int64_t sent, received, all;
  return sendRuns >= 0 && sendBytes >= 0 && receiveRuns >= 0 && receiveBytes >= 0 &&
         multiply(sendRuns, sendBytes, sent) && multiply(receiveRuns, receiveBytes, received) && sent == received &&
         multiply(sent, 2 * int64_t(members) + 2, all) && (splits || sendRuns == 1) && (joins || receiveRuns == 1);
}

int64_t Parts::offsetOf(int32_t member) const {
  const auto element = int64_t(xfrt_dtype_size(dtype));
  return sendBytes / element * member / members * element;
}

int64_t Parts::bytesTo(int32_t member) const {
  return isScattered ? offsetOf(member + 1) - offsetOf(member) : sendRuns * sendBytes;
}

int64_t Parts::mostBytes() const {
  return isScattered ? sendBytes / members + int64_t(xfrt_dtype_size(dtype)) : sendRuns * sendBytes;
}

void Parts::pack(const char *send, int32_t member, char *to) const {
  if (isScattered) {
    memcpy(to, send + offsetOf(member), size_t(bytesTo(member)));
    return;
  }
  const int64_t step = splits ? members : 1, first = splits ? member : 0;
  for (int64_t run = 0; run < sendRuns; ++run)
    memcpy(to + run * sendBytes, send + (run * step + first) * sendBytes, size_t(sendBytes));
}

void Parts::join(const char *part, int32_t member, char *receive) const {
  for (int64_t run = 0; run < receiveRuns; ++run)
    memcpy(receive + (run * members + member) * receiveBytes, part + run * receiveBytes, size_t(receiveBytes));
}

template <typename Number>
static void addNumbers(const char *part, char *sum, int64_t bytes) {
  const auto *x = reinterpret_cast<const Number *>(part);
  auto *y = reinterpret_cast<Number *>(sum);
  for (int64_t n = 0; n < bytes / int64_t(sizeof(Number)); ++n)
    y[n] += x[n];
}

void Parts::add(const char *part, int32_t member, char *sum, int64_t bytes) const {
  if (member == 0)
    memmove(sum, part, size_t(bytes));
  else if (dtype == XFRT_F64)
    addNumbers<double>(part, sum, bytes);
  else // XFRT_F32; checkModel knows no other
    addNumbers<float>(part, sum, bytes);
}
