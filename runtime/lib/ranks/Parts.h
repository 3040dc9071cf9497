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

  /// Returns whether the numbers of the frame fit each other.
  bool areValid() const;

  /// Return the bytes of the buffers that a member sends and receives.
  int64_t sentBytes() const { return sendRuns * sendBytes * (splits ? members : 1); }
  int64_t receivedBytes() const { return receiveRuns * receiveBytes * (joins ? members : 1); }

  /// Return the bytes that a member gets, and the most that any member gets.
  int64_t bytesTo(int32_t member) const;
  int64_t mostBytes() const;
  /// Returns where a member's part of a scattered sum begins.
  int64_t offsetOf(int32_t member) const;

  /// Copies what `member` gets from `send` to `to`, without gaps.
  void pack(const char *send, int32_t member, char *to) const;
  /// Copies the part of `member`, which has no gaps, to its place in `receive`.
  void join(const char *part, int32_t member, char *receive) const;
  /// Adds `bytes` bytes of a member's part to a sum. The part of the first member is copied.
  void add(const char *part, int32_t member, char *sum, int64_t bytes) const;

  /// Return the number of runs of a part that is cut or joined, and the bytes of one run.
  int64_t runs() const { return joins ? receiveRuns : sendRuns; }
  int64_t runBytes() const { return joins ? receiveBytes : sendBytes; }

  bool splits, joins, sums;
  bool areKeys;     ///< keys, of which only those travel that queries see
  bool isScattered; ///< a sum of which each member makes a part, because it is long
  int32_t members;
  /// A part has `runs` runs of `bytes` bytes. Where a buffer is cut or joined, runs of members alternate.
  int64_t sendRuns, sendBytes, receiveRuns, receiveBytes;

private:
  int32_t dtype;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_PARTS_H
