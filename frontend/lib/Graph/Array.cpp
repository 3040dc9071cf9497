//===- Array.cpp - Numbers in host memory -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/array.h"
#include "Node.h"

using namespace xf;
using namespace xf::detail;

Array::Array(Dtype dtype, std::vector<int64_t> shape, Here here) : type(dtype), sizes(std::move(shape)) {
  int64_t bytes = size_of(dtype);
  for (int64_t size : sizes) {
    expect(size >= 0, here, "expected sizes >= 0 of an array, got ", size);
    expect(!__builtin_mul_overflow(bytes, size, &bytes), here, "expected an array of fewer than 2^63 bytes");
  }
  storage = std::make_shared<std::vector<std::byte>>(bytes);
}

int64_t Array::count() const { return storage ? static_cast<int64_t>(storage->size() / size_of(type)) : 0; }

std::span<std::byte> Array::bytes() const { return storage ? std::span<std::byte>(*storage) : std::span<std::byte>(); }
