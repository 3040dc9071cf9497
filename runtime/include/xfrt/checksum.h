//===- xfrt/checksum.h - Checksums of a model ---------------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes xfrt_model::checksum and data_checksum, for programs that write tables. C99. Each step computes a new sum
// from the sum so far and a word. If the word is fixed, different sums give different results; if the sum is fixed,
// different words do. So a change of a single word always changes the checksum. It detects accidental damage only, not
// deliberate changes.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_CHECKSUM_H
#define XFRT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Initial value of a checksum, from which xfrt_checksum_number and xfrt_checksum_bytes continue.
#define XFRT_CHECKSUM_START UINT64_C(0x243F6A8885A308D3)

/// Returns the checksum `sum` extended by one 64-bit word. Callers sign-extend 32-bit integers and pass the bits of a
/// double.
static inline uint64_t xfrt_checksum_number(uint64_t sum, uint64_t number) {
  sum = (sum ^ number) * UINT64_C(0x9E3779B97F4A7C15);
  return sum ^ (sum >> 32);
}

/// Returns the checksum `sum` extended first by the number `bytes`, then by the bytes at `data` as 64-bit words: eight
/// bytes each in little-endian order, the last word padded with zeros.
static inline uint64_t xfrt_checksum_bytes(uint64_t sum, const void *data, size_t bytes) {
  const unsigned char *next = (const unsigned char *)data;
  sum = xfrt_checksum_number(sum, bytes);
  while (bytes > 0) {
    uint64_t word = 0;
    size_t count = bytes < sizeof(word) ? bytes : sizeof(word);
    memcpy(&word, next, count);
    sum = xfrt_checksum_number(sum, word);
    next += count;
    bytes -= count;
  }
  return sum;
}

/// Returns the final checksum as a model stores it. Maps 0 to 1, because a stored 0 means that there is no checksum.
static inline uint64_t xfrt_checksum_end(uint64_t sum) { return sum ? sum : 1; }

#ifdef __cplusplus
}
#endif

#endif // XFRT_CHECKSUM_H
