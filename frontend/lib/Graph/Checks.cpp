//===- Checks.cpp - Checks of operands -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include <charconv>
#include <iterator>

namespace xf::detail {

std::string text(double value) {
  char digits[32]; // as %g writes it in the C locale
  const auto end = std::to_chars(digits, std::end(digits), value, std::chars_format::general, 6).ptr;
  return std::string(digits, end);
}

void expectDefined(const Tensor &tensor, const char *what, Here here) {
  expect(tensor.defined(), here, "expected a tensor in ", what, ", got an empty one");
}
void expectFloat(const Tensor &tensor, const char *what, Here here) {
  expectDefined(tensor, what, here);
  expect(is_float(tensor.dtype()), here, "expected a floating-point tensor in ", what, ", got ", tensor.dtype());
}
void expectInteger(const Tensor &tensor, const char *what, Here here) {
  expectDefined(tensor, what, here);
  bool integer = tensor.dtype() == i32 || tensor.dtype() == i64;
  expect(integer, here, "expected i32 or i64 in ", what, ", got ", tensor.dtype());
}
void expectRank(const Tensor &tensor, size_t rank, const char *what, Here here) {
  expectDefined(tensor, what, here);
  expect(tensor.shape().size() == rank, here, "expected rank ", rank, " in ", what, ", got shape ", tensor.shape());
}

int64_t normalizeAxis(int64_t axis, int64_t rank, Here here) {
  expect(axis >= -rank && axis < rank, here, "expected an axis in [", -rank, ", ", rank, "), got ", axis);
  return axis < 0 ? axis + rank : axis;
}

void expectPadding(const EmbeddingOptions &options, const Dim &rows, Here here) {
  int64_t padding = options.padding.value_or(0);
  expect(padding >= 0 && (!options.padding || !rows.is_static() || padding < rows.value()), here,
         "expected a padding row in [0, ", rows, ") in embedding, got ", padding);
}

Shape broadcastShapes(const Shape &a, const Shape &b, Here here) {
  Shape result(std::max(a.size(), b.size()), Dim(1));
  auto stretch = [&](const Shape &shape) {
    for (size_t d = 0; d < shape.size(); ++d) {
      Dim &size = result[result.size() - shape.size() + d];
      const Dim &other = shape[d];
      if (other == Dim(1))
        continue;
      expect(size == Dim(1) || size.may_equal(other), here, "expected shapes that broadcast, got ", a, " and ", b);
      bool better = size == Dim(1) || (!size.is_static() && !size.is_named());
      size = better ? other : size;
    }
  };
  stretch(a);
  stretch(b);
  return result;
}

} // namespace xf::detail
