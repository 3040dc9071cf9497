//===- Message.cpp - One line of text about a failure ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "../support/PrintableBytes.h"

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
