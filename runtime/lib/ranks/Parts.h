//===- Parts.h - Parts of a collective's buffers --------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the parts of a collective (xfrt_collective) in its buffers, and packs, joins and adds them.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_PARTS_H
#define XFRT_LIB_RANKS_PARTS_H

#include "xfrt/xfrt.h"

namespace xfrt {

/// The sizes of the parts of a collective in one call, and how parts lie in its buffers.
struct Parts {
  Parts(const xfrt_collective &row, const int64_t *frame, int32_t members);

  /// Returns whether the numbers from the frame are valid and fit each other.
  bool areValid() const;

  /// Return the sizes in bytes of the buffers that a member sends from and receives to.
  int64_t sentBytes() const { return sendRuns * sendBytes * (splits ? members : 1); }
  int64_t receivedBytes() const { return receiveRuns * receiveBytes * (joins ? members : 1); }

  /// Return the number of bytes that `member` receives from each member (bytesTo), and the largest such number
  /// (mostBytes).
  int64_t bytesTo(int32_t member) const;
  int64_t mostBytes() const;
  /// Returns the byte offset of a member's part of a scattered sum.
  int64_t offsetOf(int32_t member) const;

  /// Copies the part for `member` from the buffer `send` to `to`, without gaps.
  void pack(const char *send, int32_t member, char *to) const;
  /// Copies the part from `member`, which has no gaps, to its position in the buffer `receive`.
  void join(const char *part, int32_t member, char *receive) const;
  /// Adds `bytes` bytes of `part`, which `member` has sent, to `sum`. The part of the first member is copied instead,
  /// because it begins the sum.
  void add(const char *part, int32_t member, char *sum, int64_t bytes) const;

  /// Return the number of runs of a part, and the bytes of one run, in the buffer that is cut or joined.
  int64_t runs() const { return joins ? receiveRuns : sendRuns; }
  int64_t runBytes() const { return joins ? receiveBytes : sendBytes; }

  bool splits, joins, sums;
  bool areKeys;     ///< the collective exchanges only keys that queries see
  bool isScattered; ///< each member makes a part of the sum, because the sum is long
  int32_t members;
  /// A part has `Runs` runs of `Bytes` bytes each. In a buffer that is cut or joined, the runs of members alternate.
  int64_t sendRuns, sendBytes, receiveRuns, receiveBytes;

private:
  int32_t dtype;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_PARTS_H
