//===- Message.h - One line of text about a failure ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts of failures. They are stored in arrays of fixed size, so that a failing call allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_MESSAGE_H
#define XFRT_LIB_MESSAGE_H

#include "xfrt/xfrt.h"

namespace xfrt {

/// The text of the last failure, truncated to 1023 bytes.
class Message {
public:
  /// Replaces the text, formatted as by printf, and returns `status`, so that a check reads `return message.fail(..)`.
  xfrt_status fail(xfrt_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
  void clear() { text[0] = 0; }
  const char *get() const { return text; }

private:
  char text[1024] = "";
};

/// Returns the calling thread's message for functions without a handle.
Message &threadMessage();

/// A name from the caller or a file, quoted for a message: control characters and invalid UTF-8 are written as \xNN.
/// Long names are truncated, but never inside a UTF-8 sequence.
class Quoted {
public:
  explicit Quoted(const char *name);
  const char *get() const { return text; }

private:
  char text[112];
};

/// A shape as text, such as "2x4x128", or "scalar" for rank 0. Ends in ".." if the storage cannot hold all dimensions.
class ShapeText {
public:
  ShapeText(const int64_t *sizes, int64_t rank);
  const char *get() const { return text; }

private:
  char text[160];
};

} // namespace xfrt

#endif // XFRT_LIB_MESSAGE_H
