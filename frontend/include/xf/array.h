//===- xf/array.h - Arrays in host memory, state dicts -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ARRAY_H
#define XF_ARRAY_H

#include "xf/shape.h"

#include <cstddef>
#include <map>
#include <span>

namespace xf {

/// The elements of a tensor in host memory, row-major. Copies share the elements.
class Array {
public:
  Array() = default;
  /// Allocates an array of zeros. Throws Error for a negative size and for 2^63 bytes or more.
  Array(Dtype dtype, std::vector<int64_t> shape, Here here = Here::current());
  /// Makes a view of `memory` and shares its ownership. `memory` must be large enough for all elements.
  Array(Dtype dtype, std::vector<int64_t> shape, std::shared_ptr<std::byte> memory);

  Dtype dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return sizes; }
  /// Returns the number of elements.
  int64_t count() const { return static_cast<int64_t>(byteCount / size_of(type)); }
  std::span<std::byte> bytes() const { return {storage.get(), byteCount}; }
  /// Returns the elements as a span of T. Throws Error unless sizeof(T) is the size of the element type.
  template <typename T>
  std::span<T> data(Here here = Here::current()) const {
    if (sizeof(T) != size_of(type))
      throw Error("expected a type of " + std::to_string(size_of(type)) + " bytes for " + name(type) + ", got one of " +
                      std::to_string(sizeof(T)),
                  here);
    return {reinterpret_cast<T *>(bytes().data()), static_cast<size_t>(count())};
  }
  bool defined() const { return storage != nullptr; }

private:
  Dtype type = f32;
  std::vector<int64_t> sizes;
  std::shared_ptr<std::byte> storage;
  size_t byteCount = 0;
};

/// Parameters and optimiser state, keyed by name in the state dict, such as "blocks.0.attention.q_proj.weight".
using StateDict = std::map<std::string, Array>;

} // namespace xf

#endif // XF_ARRAY_H
