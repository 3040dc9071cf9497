//===- context_model.cpp - Counts and their mixture -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "training/ContextModel.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

using namespace xf::programs;

static std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

TEST(ContextModel, MatchesTheFormula) {
  ContextModel model(bytesOf("abab"));
  double k = 2;
  auto mix = [k](double count, double total, double lower) { return (count + k * lower) / (total + k); };
  // The last byte of "abab": 'b' is 2 of 4 bytes, followed 'a' 2 of 2 times, and "ba" 1 of 1 time.
  double expected = mix(1, 1, mix(2, 2, mix(2, 4, 1.0 / 256)));
  double four = model.bitsPerByte(bytesOf("abab"), k) * 4, three = model.bitsPerByte(bytesOf("aba"), k) * 3;
  EXPECT_NEAR(four - three, -std::log2(expected), 1e-12);
}

TEST(ContextModel, ProbabilitiesOfAllBytesSumToOne) {
  ContextModel model(bytesOf("the theory of the thing"));
  double sum = 0;
  for (int byte = 0; byte < 256; ++byte) {
    std::string with = std::string("th") + static_cast<char>(byte);
    double bits = model.bitsPerByte(bytesOf(with), 1) * 3 - model.bitsPerByte(bytesOf("th"), 1) * 2;
    sum += std::exp2(-bits);
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(ContextModel, UnknownTextCostsAboutEightBits) {
  ContextModel model({});
  EXPECT_NEAR(model.bitsPerByte(bytesOf("anything"), 1), 8, 1e-12);
}

TEST(ContextModel, BestIsAsGoodAsAnySmoothing) {
  ContextModel model(bytesOf("a rose is a rose is a rose"));
  std::string text = "is a rose a rose";
  for (double k : {0.25, 1.0, 16.0})
    EXPECT_LE(model.bestBitsPerByte(bytesOf(text)), model.bitsPerByte(bytesOf(text), k));
}
