//===- xf/error.h - Errors in a user's program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ERROR_H
#define XF_ERROR_H

#include <source_location>
#include <stdexcept>
#include <string>

namespace xf {

/// Source location of a call in the user's program. It is the last parameter of every function, and its default is the
/// caller's line.
using Here = std::source_location;

/// Error in the user's program. what() is "file:line:column: expected .., got ..", where the location is the user's own
/// line.
class Error : public std::runtime_error {
public:
  Error(const std::string &message, Here here);
  /// Makes an error from a message that already begins with its location.
  explicit Error(const std::string &message) : std::runtime_error(message), text(message) {}

  /// Returns the location in the user's program. Its line is 0 for an error that was made from a message with a
  /// location.
  const Here &where() const noexcept { return here; }
  /// Returns the message without its location, or the whole message where the error was made from a message with a
  /// location.
  const std::string &message() const noexcept { return text; }

private:
  Here here;
  std::string text;
};

} // namespace xf

#endif // XF_ERROR_H
