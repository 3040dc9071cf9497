//===- PrintableBytes.cpp - Characters that may be printed ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintableBytes.h"

size_t xfrt::printableBytes(const char *text, size_t bytes) {
  auto byte = [&](size_t at) { return at < bytes ? static_cast<unsigned char>(text[at]) : 0u; };
  unsigned first = byte(0);
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  unsigned code = first & (0x7fu >> length);
  for (size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(at) & 0x3f);
  }
  // Rejects C1 control characters, overlong encodings, surrogates, and code points beyond Unicode.
  const unsigned least = length == 2 ? 0xa0 : length == 3 ? 0x800 : 0x10000;
  bool isCharacter = first >= 0xc0 && code >= least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? length : 0;
}
