//===- xfrt/error.hpp - Errors of the library in C++ -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exception of the C++ headers. They throw it where a function of the C interface would return a status other than
// XFRT_OK.
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

/// The exception for a failed function of the library. what() begins with the name of the status.
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
