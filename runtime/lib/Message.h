//===- Message.h - One line of text about a failure ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages live in fixed storage: a call that fails allocates nothing either.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MESSAGE_H
#define XFRT_LIB_MESSAGE_H

#include "xfrt/xfrt.h"

namespace xfrt {

/// The text of the last failure, cut at its capacity.
class Message {
public:
  /// Replaces the text and returns `status`, so that a check reads `return message.fail(..)`.
  xfrt_status fail(xfrt_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
  void clear() { text[0] = 0; }
  const char *get() const { return text; }

private:
  char text[1024] = "";
};

/// Of functions that have no handle; one for each thread.
Message &threadMessage();

/// Bytes of the printable character of UTF-8 that a text of `bytes` > 0 begins with; 0 for a control character and for
/// what is no UTF-8.
size_t printableBytes(const char *text, size_t bytes);

/// A user's name, quoted for a message: what is not printable as \xNN, long names cut in the middle of nowhere but
/// never inside a UTF-8 sequence.
class Quoted {
public:
  explicit Quoted(const char *name);
  const char *get() const { return text; }

private:
  char text[112];
};

/// A shape as "2x4x128", "scalar" for rank 0; dimensions beyond the storage become "..".
class ShapeText {
public:
  ShapeText(const int64_t *sizes, int64_t rank);
  const char *get() const { return text; }

private:
  char text[160];
};

} // namespace xfrt

#endif // XFRT_LIB_MESSAGE_H
