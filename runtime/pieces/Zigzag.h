//===- Zigzag.h - Chunks of tokens in zigzag ------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_ZIGZAG_H
#define XFRT_PIECES_ZIGZAG_H

#include <stdint.h>

namespace xfrt {

/// Returns the number, among all chunks of a dimension, of the chunk that a member of a group gets in a turn. Chunks go
/// to members in zigzag: forwards in even turns, and backwards in odd ones. A member's chunks are in ascending order.
constexpr int64_t zigzagChunk(int64_t turn, int64_t member, int64_t members) {
  return turn * members + (turn % 2 ? members - 1 - member : member);
}

} // namespace xfrt

#endif // XFRT_PIECES_ZIGZAG_H
