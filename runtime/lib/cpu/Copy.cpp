//===- Copy.cpp - Copies of bytes on a CPU --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy that is larger than half of the last cache uses non-temporal stores, as compiled kernels do. An ordinary store
// to a line that no cache holds reads the line from memory first. memcpy of the C library decides by the cache of the
// whole machine, although a virtual machine has only a small part of it. There memcpy took 1.6 times as long for 64 MB.
//
//===----------------------------------------------------------------------===//

#include "Copy.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

using namespace xfrt;

/// Half of the largest last-level cache that compiled kernels count on (CpuCaches::lastCacheBytes).
static constexpr int64_t mostCachedBytes = 16 << 20;

#if defined(__x86_64__)
/// Copies `bytes` bytes with non-temporal stores.
static void streamBytes(char *to, const char *from, int64_t bytes) {
  constexpr int64_t line = 64, ahead = 16 * line;
  int64_t done = -reinterpret_cast<intptr_t>(to) & (line - 1);
  done = done < bytes ? done : bytes;
  memcpy(to, from, size_t(done));
  for (; done + line <= bytes; done += line) {
    _mm_prefetch(from + done + ahead, _MM_HINT_T0);
    auto *source = reinterpret_cast<const __m128i *>(from + done);
    auto *target = reinterpret_cast<__m128i *>(to + done);
    __m128i first = _mm_loadu_si128(source), second = _mm_loadu_si128(source + 1);
    __m128i third = _mm_loadu_si128(source + 2), fourth = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, first);
    _mm_stream_si128(target + 1, second);
    _mm_stream_si128(target + 2, third);
    _mm_stream_si128(target + 3, fourth);
  }
  memcpy(to + done, from + done, size_t(bytes - done));
  _mm_sfence(); // the stores are visible before the tiles are reported as done
}
#else
static void streamBytes(char *to, const char *from, int64_t bytes) { memcpy(to, from, size_t(bytes)); }
#endif

void cpu::copyTiles(const int64_t *scalars, void *const *buffers, int64_t begin, int64_t end, void *) {
  int64_t all = scalars[0], first = begin * copyTileBytes, last = end * copyTileBytes < all ? end * copyTileBytes : all;
  const char *from = static_cast<const char *>(buffers[0]) + first;
  char *to = static_cast<char *>(buffers[1]) + first;
  if (all > mostCachedBytes)
    streamBytes(to, from, last - first);
  else
    memcpy(to, from, size_t(last - first));
}
