//===- Elements.cpp - Elements of floating-point arrays -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParameterData.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace xf;
using namespace xf::detail;

/// Converts to bf16, the upper half of f32, rounding to nearest even. A NaN becomes quiet. To avoid rounding twice, a
/// number between two f32 values first becomes the one with an odd last bit.
static uint16_t toBf16(double number) {
  auto value = static_cast<float>(number);
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (double(value) != number && !std::isnan(value))
    bits = (bits - (std::abs(double(value)) > std::abs(number) ? 1 : 0)) | 1;
  uint32_t bias = 0x7FFF + ((bits >> 16) & 1);
  return static_cast<uint16_t>((std::isnan(value) ? bits | 0x400000 : bits + bias) >> 16);
}

static float fromBf16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

double xf::detail::load(const Array &array, int64_t position) {
  const std::byte *source = array.bytes().data() + position * size_of(array.dtype());
  auto get = [&](auto number) {
    std::memcpy(&number, source, sizeof(number));
    return number;
  };
  switch (array.dtype()) {
  case Dtype::f32:
    return get(float());
  case Dtype::f64:
    return get(double());
  case Dtype::f16:
    return static_cast<double>(get(_Float16()));
  case Dtype::bf16:
    return fromBf16(get(uint16_t()));
  case Dtype::i32:
    return get(int32_t());
  case Dtype::i64:
    return static_cast<double>(get(int64_t()));
  case Dtype::boolean:
    return get(uint8_t()) != 0;
  }
  return 0;
}

void xf::detail::store(const Array &array, int64_t position, double value) {
  std::byte *target = array.bytes().data() + position * size_of(array.dtype());
  auto put = [&](auto number) { std::memcpy(target, &number, sizeof(number)); };
  switch (array.dtype()) {
  case Dtype::f32:
    return put(static_cast<float>(value));
  case Dtype::f64:
    return put(value);
  case Dtype::f16:
    return put(static_cast<_Float16>(value));
  case Dtype::bf16:
    return put(toBf16(value));
  case Dtype::i32:
    return put(static_cast<int32_t>(value));
  case Dtype::i64:
    return put(static_cast<int64_t>(value));
  case Dtype::boolean:
    return put(static_cast<uint8_t>(value != 0));
  }
}

Array xf::detail::convert(const Array &values, Dtype dtype) {
  if (values.dtype() == dtype)
    return values;
  Array result(dtype, values.shape());
  int64_t count = values.count();
  for (int64_t n = 0; n < count; ++n)
    store(result, n, load(values, n));
  return result;
}
