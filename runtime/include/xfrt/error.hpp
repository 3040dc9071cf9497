//===- xfrt/error.hpp - Errors of the library in C++ -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the headers of C++ throw where a function of C returns a status.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_ERROR_HPP
#define XFRT_ERROR_HPP

#include "xfrt/xfrt.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace xfrt {

/// A function of the library failed.
class Error : public std::runtime_error {
public:
  Error(xfrt_status status, const std::string &text) : std::runtime_error(text), code(status) {}
  xfrt_status status() const { return code; }

private:
  xfrt_status code;
};

/// Throws an Error with the status and text of a failed call. Without exceptions, prints them and aborts.
[[noreturn]] inline void fail(xfrt_status status, const char *text) {
  std::string message = std::string(xfrt_status_name(status)) + ": " + (text ? text : "");
#if defined(__cpp_exceptions)
  throw Error(status, message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

} // namespace xfrt

#endif // XFRT_ERROR_HPP
