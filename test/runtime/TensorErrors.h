//===- TensorErrors.h - Errors of tensors, for tests -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_TENSORERRORS_H
#define XF_TEST_RUNTIME_TENSORERRORS_H

#include "xfrt/error.hpp"

#include <string>

/// The text of the error that a function throws; empty without one.
template <typename Function>
std::string errorOf(Function function) {
  try {
    function();
  } catch (const xfrt::Error &error) {
    return error.what();
  }
  return "";
}

#endif // XF_TEST_RUNTIME_TENSORERRORS_H
