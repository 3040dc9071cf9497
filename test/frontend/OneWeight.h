//===- OneWeight.h - A model of one weight, run and printed -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests of compiled programs share: a model whose numbers can be followed, arrays in and out, and errors.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_FRONTEND_ONEWEIGHT_H
#define XF_TEST_FRONTEND_ONEWEIGHT_H

#include <xf/xf.h>

#include <cstdio>
#include <fstream>

namespace xf {

struct Scale : nn::Module {
  Parameter weight{{1}, constant_init(3)};
  XF_MEMBERS(weight)
  Tensor operator()(const Tensor &x) const { return x * weight; }
};

inline Array numbers(std::vector<int64_t> shape, const std::vector<float> &values) {
  Array array(f32, std::move(shape));
  std::copy(values.begin(), values.end(), array.data<float>().begin());
  return array;
}

inline void print(const char *what, const Array &array) {
  std::printf("%s:", what);
  for (float value : array.data<float>())
    std::printf(" %g", value);
  std::printf("\n");
}

/// Prints the error that f ends with, and what a device says of it.
template <typename F>
void printError(const F &f) {
  try {
    f();
    std::puts("no error");
  } catch (const DeviceError &error) {
    std::printf("%s: %s\n", error.status().c_str(), error.what());
  } catch (const Error &error) {
    std::puts(error.what());
  }
}

inline void writeObject(const char *path, const Executable &executable) {
  std::span<const std::byte> bytes = executable.object();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace xf

#endif // XF_TEST_FRONTEND_ONEWEIGHT_H
