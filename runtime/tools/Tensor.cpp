//===- Tensor.cpp - Tensors in the tools' memory --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include "../lib/Memory.h"
#include "Rounding.h"

#include <algorithm>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

using namespace xfrt::tools;

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

bool TensorSpec::isStatic() const { return std::find(shape.begin(), shape.end(), dynamic) == shape.end(); }

bool TensorSpec::accepts(const std::vector<int64_t> &sizes) const {
  return std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end(),
                    [](int64_t declared, int64_t size) { return declared == dynamic || declared == size; });
}

bool xfrt::tools::isFloat(int32_t dtype) { return dtype >= XFRT_F32 && dtype <= XFRT_BF16; }

std::string xfrt::tools::describeShape(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + (size == TensorSpec::dynamic ? "?" : std::to_string(size));
  return shape.empty() ? "scalar" : text;
}

int32_t xfrt::tools::parseDtype(std::string_view name) {
  for (int32_t dtype = XFRT_F32; dtype <= XFRT_BOOL; ++dtype)
    if (name == xfrt_dtype_name(dtype))
      return dtype;
  return -1;
}

bool Tensor::allocate(int32_t newDtype, std::vector<int64_t> newShape, std::string &error) {
  int64_t size = int64_t(xfrt_dtype_size(newDtype));
  bool empty = std::find(newShape.begin(), newShape.end(), 0) != newShape.end(), fits = true;
  for (int64_t extent : newShape)
    fits = fits && extent >= 0 && (empty || !__builtin_mul_overflow(size, extent, &size));
  if (!fits || size > PTRDIFF_MAX - 64) {
    error = "expected a tensor of fewer than 2^63 bytes, got shape " + describeShape(newShape);
    return false;
  }
  int64_t bytes = empty ? 0 : size;
  storage.reset(static_cast<char *>(allocateAligned(size_t(bytes) + 64)));
  if (!storage) {
    error = "cannot allocate " + std::to_string(bytes) + " bytes";
    return false;
  }
  dtype = newDtype;
  shape = std::move(newShape);
  elementCount = bytes / int64_t(xfrt_dtype_size(dtype));
  return true;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename T>
static T loadElement(const char *data, int64_t index) {
  T value;
  memcpy(&value, data + index * int64_t(sizeof(T)), sizeof(T));
  return value;
}

template <typename T>
static void storeElement(char *data, int64_t index, T value) {
  memcpy(data + index * int64_t(sizeof(T)), &value, sizeof(T));
}

double Tensor::real(int64_t index) const {
  switch (dtype) {
  case XFRT_F32:
    return double(loadElement<float>(data(), index));
  case XFRT_F64:
    return loadElement<double>(data(), index);
  case XFRT_F16:
    return Float16::widen(loadElement<uint16_t>(data(), index));
  case XFRT_BF16:
    return BFloat16::widen(loadElement<uint16_t>(data(), index));
  default:
    return double(integer(index));
  }
}

int64_t Tensor::integer(int64_t index) const {
  switch (dtype) {
  case XFRT_I32:
    return loadElement<int32_t>(data(), index);
  case XFRT_I64:
    return loadElement<int64_t>(data(), index);
  case XFRT_BOOL:
    return data()[index] != 0;
  default:
    return int64_t(real(index));
  }
}

void Tensor::setReal(int64_t index, double value) {
  switch (dtype) {
  case XFRT_F32:
    return storeElement(data(), index, float(value));
  case XFRT_F64:
    return storeElement(data(), index, value);
  case XFRT_F16:
    return storeElement(data(), index, Float16::round(value));
  case XFRT_BF16:
    return storeElement(data(), index, BFloat16::round(value));
  default:
    return setInteger(index, int64_t(value));
  }
}

void Tensor::setInteger(int64_t index, int64_t value) {
  switch (dtype) {
  case XFRT_I32:
    return storeElement(data(), index, int32_t(value));
  case XFRT_I64:
    return storeElement(data(), index, value);
  case XFRT_BOOL:
    return storeElement(data(), index, uint8_t(value != 0));
  default:
    return setReal(index, double(value));
  }
}

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

/// Returns pseudo-random bits for x by the finaliser of SplitMix64, a bijection whose outputs for consecutive inputs
/// pass tests of randomness.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Returns the FNV-1a hash of a name. With it, tensors of different names differ even if they are filled from one seed.
static uint64_t hashName(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

/// Returns a standard normal number, by the Box-Muller transform of two uniform numbers. These are made from random
/// bits: one in (0, 1] from `first`, one in [0, 1) from `second`.
static double normal(uint64_t first, uint64_t second) {
  const double unit = 0x1p-53;
  double radius = sqrt(-2 * log(double((first >> 11) + 1) * unit));
  return radius * cos(6.283185307179586 * (double(second >> 11) * unit));
}

namespace {
/// The elements [begin, end) of a tensor to be filled.
struct RandomRange {
  Tensor *tensor;
  uint64_t key;
  int64_t lowest;
  uint64_t range; ///< the number of integers to draw from, from `lowest` on; 0 means 2^64
  int64_t begin, end;

  void fill() const {
    for (int64_t i = begin; i < end; ++i) {
      uint64_t first = mix(key + 2 * uint64_t(i)), second = mix(key + 2 * uint64_t(i) + 1);
      if (isFloat(tensor->dtype))
        tensor->setReal(i, normal(first, second));
      else
        tensor->setInteger(i, int64_t(uint64_t(lowest) + (range ? first % range : first)));
    }
  }
  static void *run(void *self) {
    static_cast<RandomRange *>(self)->fill();
    return nullptr;
  }
};
} // namespace

/// Fills the elements of `whole` with several threads. The number of threads changes no value, because an element
/// depends only on its index.
static void fillByThreads(const RandomRange &whole) {
  constexpr int64_t least = 1 << 18, most = 64;
  int64_t processors = sysconf(_SC_NPROCESSORS_ONLN), count = whole.end - whole.begin;
  int64_t parts = std::max<int64_t>(1, std::min({processors, most, count / least}));
  RandomRange ranges[most];
  pthread_t threads[most];
  bool isStarted[most] = {};
  for (int64_t n = 0; n < parts; ++n) {
    ranges[n] = whole;
    ranges[n].begin = count / parts * n;
    ranges[n].end = n + 1 == parts ? count : count / parts * (n + 1);
    isStarted[n] = n + 1 < parts && pthread_create(&threads[n], nullptr, RandomRange::run, &ranges[n]) == 0;
    if (!isStarted[n])
      ranges[n].fill();
  }
  for (int64_t n = 0; n < parts; ++n)
    if (isStarted[n])
      pthread_join(threads[n], nullptr);
}

void xfrt::tools::fillRandom(Tensor &tensor, const TensorSpec &spec, uint64_t seed) {
  uint64_t key = mix(mix(seed) ^ hashName(spec.name));
  int64_t lowest = spec.checked ? spec.lowest : 0;
  int64_t highest = spec.checked ? spec.highest : tensor.dtype == XFRT_BOOL ? 1 : 15;
  fillByThreads({&tensor, key, lowest, uint64_t(highest) - uint64_t(lowest) + 1, 0, tensor.count()});
}
