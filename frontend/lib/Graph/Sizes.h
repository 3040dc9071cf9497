//===- Sizes.h - Computed sizes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_SIZES_H
#define XF_FRONTEND_GRAPH_SIZES_H

#include "dialects/xf/IR/SizeExpression.h"
#include "xf/shape.h"

#include <map>

namespace xf::detail {

using SizeExpression = mlir::xf::SizeExpression;

/// A size as an expression of named sizes, with the range of each name.
struct SizeData {
  SizeExpression value;
  std::map<std::string, DimRange> ranges = {};

  /// Returns the expression of `size`, which is invalid if the size is unknown.
  static SizeData of(const Dim &size);
  Dim dim() const;
  /// Returns bounds of the value.
  SizeExpression::Range range() const;
};

SizeData operator+(const SizeData &a, const SizeData &b);
SizeData operator-(const SizeData &a, const SizeData &b);
SizeData operator*(const SizeData &a, const SizeData &b);
/// Returns the product of the sizes, which is invalid if one of them is unknown.
SizeData elementsOf(const Shape &shape);

/// Throws Error if a size of the shape is impossible, such as a negative one.
void expectSizes(const Shape &shape, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_SIZES_H
