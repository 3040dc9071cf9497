//===- Carver.h - Arrays in one block of memory ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CARVER_H
#define XFRT_LIB_CARVER_H

#include "Memory.h"

namespace xfrt {

/// Carves consecutive arrays out of one block of memory. If the block is null, only counts the bytes that the arrays
/// need.
struct Carver {
  char *block;
  size_t used;

  /// Returns the next array of `count` elements, or null if the block is null. The array is aligned to 64 bytes or to
  /// the alignment of T, whichever is larger. The block itself must be aligned to 64 bytes.
  template <typename T>
  T *take(int64_t count) {
    constexpr size_t slack = alignof(T) > alignment ? alignof(T) : 0;
    size_t begin = used;
    used = alignUp(used + count * sizeof(T) + slack);
    if (!block)
      return nullptr;
    uintptr_t address = reinterpret_cast<uintptr_t>(block + begin);
    return reinterpret_cast<T *>(slack ? (address + slack - 1) / slack * slack : address);
  }
};

} // namespace xfrt

#endif // XFRT_LIB_CARVER_H
