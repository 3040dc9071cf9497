//===- Show.h - Print an entry or an error -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_FRONTEND_SHOW_H
#define XF_TEST_FRONTEND_SHOW_H

#include <xf/xf.h>

#include <cstdio>

namespace xf {

/// Prints a program of one entry.
template <typename F>
void show(const std::string &name, std::vector<TensorSpec> inputs, const F &f) {
  Program program("test");
  program.entry(name, std::move(inputs), f);
  std::fputs(program.str().c_str(), stdout);
}

/// An input to make mistakes with.
inline Tensor input(Shape shape, Dtype dtype = f32) {
  Tensor result;
  Program("test").entry("input", {{"x", dtype, std::move(shape)}}, [&](Tensor x) { return result = x; });
  return result;
}

/// Prints what the function throws, without the folder.
template <typename F>
void report(const F &f) {
  try {
    f();
    std::puts("no error");
  } catch (const Error &error) {
    std::string text = error.what(), file = error.where().file_name();
    std::puts((text.substr(0, file.size()) == file ? text.substr(file.rfind('/') + 1) : text).c_str());
  }
}

} // namespace xf

#endif // XF_TEST_FRONTEND_SHOW_H
