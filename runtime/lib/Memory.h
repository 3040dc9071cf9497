//===- Memory.h - Hooked allocation and checked sizes ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MEMORY_H
#define XFRT_LIB_MEMORY_H

#include "xfrt/xfrt.h"

#include <stdlib.h>
#include <sys/mman.h>

namespace xfrt {

/// Alignment in bytes of arenas, scratch areas and tensors: the size of a cache line and of the widest vector register.
constexpr size_t alignment = 64;

/// Compute a * b and a + b. Return false on overflow.
inline bool multiply(int64_t a, int64_t b, int64_t &product) { return !__builtin_mul_overflow(a, b, &product); }
inline bool add(int64_t a, int64_t b, int64_t &sum) { return !__builtin_add_overflow(a, b, &sum); }

/// Rounds up to a multiple of `alignment`.
inline size_t alignUp(size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

/// Allocates memory from the C library, aligned to `alignment`. Returns null on failure. Requests huge pages for large
/// blocks, because kernels stream through these: with small pages, page-table walks cost a quarter of the bandwidth on
/// a virtual machine.
inline void *allocateAligned(size_t bytes) {
  constexpr size_t hugePage = size_t(2) << 20;
  if (bytes > PTRDIFF_MAX - hugePage)
    return nullptr;
  if (bytes < 2 * hugePage)
    return aligned_alloc(alignment, alignUp(bytes));
  void *block = aligned_alloc(hugePage, (bytes + hugePage - 1) & ~(hugePage - 1));
#ifdef MADV_HUGEPAGE
  if (block)
    madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

/// Allocates and releases memory by the caller's hooks, or by the C library if a hook is null.
struct Allocator {
  xfrt_allocate allocateHook = nullptr;
  xfrt_release releaseHook = nullptr;
  void *user = nullptr;

  void *allocate(size_t bytes) const {
    if (allocateHook)
      return allocateHook(user, bytes, alignment);
    return allocateAligned(bytes);
  }
  void release(void *pointer, size_t bytes) const {
    if (!pointer)
      return;
    if (releaseHook)
      releaseHook(user, pointer, bytes);
    else
      free(pointer);
  }
};

} // namespace xfrt

#endif // XFRT_LIB_MEMORY_H
