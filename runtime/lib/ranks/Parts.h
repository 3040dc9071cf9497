//===- Parts.h - Parts of a collective's buffers --------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the parts of a collective lie (xfrt_collective), and how they are packed, joined and added.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_PARTS_H
#define XFRT_LIB_RANKS_PARTS_H

#include "xfrt/xfrt.h"

namespace xfrt {

/// The parts of one collective in a call.
struct Parts {
  Parts(const xfrt_collective &row, const int64_t *frame, int32_t members);

  /// Whether the numbers of the frame fit each other.
  bool areValid() const;

  /// Bytes of the buffers that a member sends and receives.
  int64_t sentBytes() const { return sendRuns * sendBytes * (splits ? members : 1); }
  int64_t receivedBytes() const { return receiveRuns * receiveBytes * (joins ? members : 1); }

  /// Bytes of what a member gets, and the most that one does.
  int64_t bytesTo(int32_t member) const;
  int64_t mostBytes() const;
  /// Where the part of a sum that is scattered begins.
  int64_t offsetOf(int32_t member) const;

  /// Copies what a member gets from `send` to memory without gaps.
  void pack(const char *send, int32_t member, char *to) const;
  /// Copies a part without gaps to its place.
  void join(const char *part, int32_t member, char *receive) const;
  /// Adds `bytes` bytes of a member's part to a sum, which the first member begins.
  void add(const char *part, int32_t member, char *sum, int64_t bytes) const;

  bool splits, joins, sums;
  bool isScattered; ///< a sum of which each member makes a part, because it is long
  int32_t members;
  /// A part is so many runs of so many bytes; runs of members alternate in what is cut or joined.
  int64_t sendRuns, sendBytes, receiveRuns, receiveBytes;

private:
  int32_t dtype;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_PARTS_H
