//===- Message.cpp - One line of text about a failure ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

using namespace xfrt;

xfrt_status Message::fail(xfrt_status status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  return status;
}

Message &xfrt::threadMessage() {
  static thread_local Message message;
  return message;
}

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

Quoted::Quoted(const char *name) {
  const size_t limit = sizeof(text) - 10; // room for an escape, the dots, the quote and the NUL
  size_t used = 0;
  text[used++] = '\'';
  for (size_t rest = name ? strlen(name) : 0; rest > 0;) {
    size_t length = printableBytes(name, rest);
    if (used + length > limit) {
      used += snprintf(text + used, sizeof(text) - used, "..");
      break;
    }
    if (length == 0)
      used += snprintf(text + used, sizeof(text) - used, "\\x%02x", static_cast<unsigned char>(*name));
    memcpy(text + used, name, length);
    used += length;
    size_t taken = length ? length : 1;
    name += taken;
    rest -= taken;
  }
  text[used++] = '\'';
  text[used] = 0;
}

ShapeText::ShapeText(const int64_t *sizes, int64_t rank) {
  strcpy(text, "scalar");
  size_t used = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (used + 24 > sizeof(text)) {
      strcpy(text + used, "x..");
      return;
    }
    used += snprintf(text + used, sizeof(text) - used, i ? "x%" PRId64 : "%" PRId64, sizes[i]);
  }
}
