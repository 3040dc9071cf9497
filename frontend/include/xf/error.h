//===- xf/error.h - What a wrong program throws -*- C++ -*-===//
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

/// The user's line that a call was written on; the last parameter of every function, and never written out.
using Here = std::source_location;

/// A program that makes no sense: "file:line:column: expected .., got ..", at the user's own line.
class Error : public std::runtime_error {
public:
  Error(const std::string &message, Here here);
  /// A message that already names its line.
  explicit Error(const std::string &message) : std::runtime_error(message), text(message) {}

  /// The line of the user's program; line 0 where the message came from a later stage.
  const Here &where() const noexcept { return here; }
  /// The message without the line.
  const std::string &message() const noexcept { return text; }

private:
  Here here;
  std::string text;
};

} // namespace xf

#endif // XF_ERROR_H
