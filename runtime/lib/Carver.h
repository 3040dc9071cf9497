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

/// Allocates consecutive arrays from one block of memory; with a null block only counts the bytes.
struct Carver {
  char *block;
  size_t used;

  /// Allocates an array of `count` elements, aligned to 64 bytes or to the alignment of T, whichever is larger. The
  /// block itself must be aligned to 64 bytes. Returns null for a null block.
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
