//===- Checks.h - Checks of operands -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_CHECKS_H
#define XF_FRONTEND_GRAPH_CHECKS_H

#include "xf/ops.h"

namespace xf::detail {

/// Converts a value to text for an error message. Shapes and dimensions are written as by to_string, element types by
/// their names.
inline std::string text(const std::string &value) { return value; }
inline std::string text(const char *value) { return value; }
inline std::string text(const Shape &shape) { return to_string(shape); }
inline std::string text(const Dim &dim) { return to_string(dim); }
inline std::string text(Dtype dtype) { return name(dtype); }
std::string text(double value);
template <std::integral Int>
std::string text(Int value) {
  return std::to_string(value);
}

/// Throws Error unless `condition` is true. The message is the concatenation of `parts`, as in expect(a == b, here,
/// "expected .., got ", a).
template <typename... Parts>
void expect(bool condition, Here here, const Parts &...parts) {
  if (!condition)
    throw Error((text(parts) + ...), here);
}

void expectDefined(const Tensor &tensor, const char *what, Here here);
void expectFloat(const Tensor &tensor, const char *what, Here here);
void expectInteger(const Tensor &tensor, const char *what, Here here);
void expectRank(const Tensor &tensor, size_t rank, const char *what, Here here);
/// Returns the index of the dimension that `axis` stands for; a negative axis counts from the end. Throws Error where
/// it is out of range.
int64_t normalizeAxis(int64_t axis, int64_t rank, Here here);
/// Throws Error unless options.padding, if set, is one of the `rows` rows of the table.
void expectPadding(const EmbeddingOptions &options, const Dim &rows, Here here);
/// Returns the common shape of two operands by numpy's broadcasting rule. Throws Error where two sizes differ and
/// neither is 1.
Shape broadcastShapes(const Shape &a, const Shape &b, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_CHECKS_H
