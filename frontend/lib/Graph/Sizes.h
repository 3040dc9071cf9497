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

  /// Returns the expression of a size; an invalid one for an unknown size.
  static SizeData of(const Dim &size);
  Dim dim() const;
  /// Bounds of the value.
  SizeExpression::Range range() const;
};

SizeData operator+(const SizeData &a, const SizeData &b);
SizeData operator-(const SizeData &a, const SizeData &b);
SizeData operator*(const SizeData &a, const SizeData &b);
/// Returns the product of sizes. It is invalid where one of them is unknown.
SizeData elementsOf(const Shape &shape);

/// Throws Error where a size of the shape cannot be.
void expectSizes(const Shape &shape, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_SIZES_H
