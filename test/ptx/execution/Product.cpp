//===- Product.cpp - Small products of matrices ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/execution/Product.h"
#include "test/ptx/execution/Float.h"

#include <string.h>

using namespace xf::ptx;

void xf::ptx::multiply(float *c, const float *a, const float *b, int rows, int columns, int depth) {
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < depth; ++k) {
      float factor = a[row * depth + k];
      float *__restrict sums = c + row * columns;
      const float *__restrict line = b + k * columns;
      for (int column = 0; column < columns; ++column)
        sums[column] = std::fma(factor, line[column], sums[column]);
    }
}

float xf::ptx::elementOf(Element type, uint32_t bits) {
  if (type == Element::TF32)
    return std::bit_cast<float>(bits & 0xffffe000);
  return type == Element::F16 ? toFloat(Half{static_cast<uint16_t>(bits)})
                              : toFloat(BHalf{static_cast<uint16_t>(bits)});
}

void xf::ptx::elementsOf(Element type, const uint8_t *bytes, float *values) {
  uint16_t halves[8];
  uint32_t words[4];
  memcpy(halves, bytes, 16);
  memcpy(words, bytes, 16);
  if (type == Element::TF32)
    for (int n = 0; n < 4; ++n)
      values[n] = elementOf(type, words[n]);
  else if (type == Element::BF16)
    for (int n = 0; n < 8; ++n)
      values[n] = toFloat(BHalf{halves[n]});
  else
    for (int n = 0; n < 8; ++n)
      values[n] = toFloat(Half{halves[n]});
}
