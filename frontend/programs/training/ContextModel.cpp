//===- ContextModel.cpp - An order-2 context model -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextModel.h"

#include <algorithm>
#include <cmath>

using namespace xf::programs;

static constexpr size_t bytes = 256;

ContextModel::ContextModel(std::span<const uint8_t> text)
    : counts0(bytes), counts1(bytes * bytes), counts2(bytes * bytes * bytes), totals1(bytes), totals2(bytes * bytes) {
  uint32_t context = 0; // the two previous bytes; zeros at the beginning of the text
  for (uint8_t byte : text) {
    uint32_t last = context % bytes;
    ++counts0[byte];
    ++counts1[last * bytes + byte];
    ++counts2[context * bytes + byte];
    ++totals1[last];
    ++totals2[context];
    context = last * bytes + byte;
  }
  total = text.size();
}

double ContextModel::probability(uint32_t context, uint8_t byte, double k) const {
  uint32_t last = context % bytes;
  auto mix = [k](double count, double sum, double lower) { return (count + k * lower) / (sum + k); };
  double p0 = mix(counts0[byte], static_cast<double>(total), 1.0 / bytes);
  double p1 = mix(counts1[last * bytes + byte], totals1[last], p0);
  return mix(counts2[context * bytes + byte], totals2[context], p1);
}

double ContextModel::bitsPerByte(std::span<const uint8_t> text, double k) const {
  double bits = 0;
  uint32_t context = 0;
  for (uint8_t byte : text) {
    bits -= std::log2(probability(context, byte, k));
    context = context % bytes * bytes + byte;
  }
  return text.empty() ? 0 : bits / static_cast<double>(text.size());
}

double ContextModel::bestBitsPerByte(std::span<const uint8_t> text) const {
  double best = 8;
  for (double k : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0})
    best = std::min(best, bitsPerByte(text, k));
  return best;
}
