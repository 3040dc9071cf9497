//===- Array.cpp - Arrays in host memory -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/array.h"

#include "Node.h"
#include <algorithm>
#include <cstring>
#include <new>

using namespace xf;
using namespace xf::detail;

/// Returns the number of bytes of all elements of an array. Throws Error for a negative size and for 2^63 bytes or
/// more.
static size_t countBytes(Dtype dtype, const std::vector<int64_t> &shape, Here here) {
  int64_t bytes = size_of(dtype);
  for (int64_t size : shape) {
    expect(size >= 0, here, "expected sizes >= 0 of an array, got ", size);
    expect(!__builtin_mul_overflow(bytes, size, &bytes), here, "expected an array of fewer than 2^63 bytes");
  }
  return bytes;
}

/// Allocates zeroed memory, aligned to 64 bytes for the kernels' vector loads and stores.
static std::shared_ptr<std::byte> allocate(size_t bytes) {
  constexpr std::align_val_t alignment{64};
  auto *memory = static_cast<std::byte *>(::operator new(std::max<size_t>(bytes, 1), alignment));
  std::memset(memory, 0, bytes);
  return {memory, [](std::byte *pointer) { ::operator delete(pointer, alignment); }};
}

Array::Array(Dtype dtype, std::vector<int64_t> shape, Here here)
    : type(dtype), sizes(std::move(shape)), byteCount(countBytes(dtype, sizes, here)) {
  storage = allocate(byteCount);
}

Array::Array(Dtype dtype, std::vector<int64_t> shape, std::shared_ptr<std::byte> memory)
    : type(dtype), sizes(std::move(shape)), storage(std::move(memory)), byteCount(countBytes(dtype, sizes, Here())) {}
