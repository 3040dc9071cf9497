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

/// Bytes of the UTF-8 sequence that starts with `lead`; 1 for what cannot start one.
static size_t sequenceLength(unsigned char lead) {
  if (lead >= 0xf0)
    return 4;
  if (lead >= 0xe0)
    return 3;
  return lead >= 0xc0 ? 2 : 1;
}

Quoted::Quoted(const char *name) {
  const size_t limit = sizeof(text) - 10; // an escape, the dots, the quote and the final zero
  size_t used = 0;
  text[used++] = '\'';
  while (name && *name) {
    unsigned char c = *name;
    size_t length = sequenceLength(c);
    if (used + length > limit) {
      used += snprintf(text + used, sizeof(text) - used, "..");
      break;
    }
    if (c < 0x20 || c == 0x7f) {
      used += snprintf(text + used, sizeof(text) - used, "\\x%02x", c);
      ++name;
      continue;
    }
    for (size_t i = 0; i < length && *name; ++i)
      text[used++] = *name++;
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
