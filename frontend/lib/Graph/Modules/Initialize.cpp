//===- Initialize.cpp - Initial values of parameters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normal.h"
#include "ParameterData.h"
#include "Philox.h"
#include "xf/features.h"

using namespace xf;
using namespace xf::detail;

Initializer xf::constant_init(double value) { return {Initializer::constant, value, 0}; }
Initializer xf::uniform_init(double bound) { return {Initializer::uniform, -bound, bound}; }
Initializer xf::normal_init(double deviation) { return {Initializer::normal, 0, deviation}; }

/// Hashes a name with FNV-1a, whose result is the same on every machine.
static uint64_t hashName(const std::string &name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char letter : name)
    hash = (hash ^ letter) * 0x100000001b3;
  return hash;
}

/// Returns two random numbers of the initializer's distribution, computed from four random words.
static std::pair<double, double> drawTwo(const Initializer &initializer, const std::array<uint32_t, 4> &words) {
  if (initializer.kind == Initializer::uniform) {
    auto [first, second] = uniformPair(words);
    double width = initializer.b - initializer.a;
    return {initializer.a + width * first, initializer.a + width * second};
  }
  auto [first, second] = normalPair(words);
  return {initializer.a + initializer.b * first, initializer.a + initializer.b * second};
}

/// Draws the values of `parameter` in the type `dtype`, which has 32 or 64 bits.
static Array drawUnrounded(const ParameterData &parameter, Dtype dtype, const std::string &name, uint64_t seed) {
  Array array(dtype, parameter.shape);
  uint64_t stream = hashName(name);
  if (parameter.initializer.kind == Initializer::features) {
    redraw_features(array, {static_cast<FeatureRows>(parameter.initializer.a), seed, stream});
    return array;
  }
  int64_t count = array.count();
  for (int64_t n = 0; n < count; n += 2) {
    std::pair<double, double> two(parameter.initializer.a, parameter.initializer.a);
    if (parameter.initializer.kind != Initializer::constant)
      two = drawTwo(parameter.initializer, philox(seed, n / 2, stream));
    store(array, n, two.first);
    if (n + 1 < count)
      store(array, n + 1, two.second);
  }
  if (int64_t row = parameter.initializer.zero_row; row >= 0)
    for (int64_t width = count / array.shape()[0], n = 0; n < width; ++n)
      store(array, row * width + n, 0);
  return array;
}

ParameterValues xf::detail::draw(const ParameterData &parameter, const std::string &name, uint64_t seed) {
  if (size_of(parameter.dtype) != 2)
    return {drawUnrounded(parameter, parameter.dtype, name, seed)};
  Array unrounded = drawUnrounded(parameter, f32, name, seed);
  return {convert(unrounded, parameter.dtype), unrounded};
}
