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

/// Chunks of a dimension go to the members of a group in zigzag: forwards in even turns, and backwards in odd turns.
/// Returns the number, among all chunks, of the chunk that `member` gets in turn `turn`. A member's chunks are in
/// ascending order.
constexpr int64_t zigzagChunk(int64_t turn, int64_t member, int64_t members) {
  return turn * members + (turn % 2 ? members - 1 - member : member);
}

} // namespace xfrt

#endif // XFRT_PIECES_ZIGZAG_H
