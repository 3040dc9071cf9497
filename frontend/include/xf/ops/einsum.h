//===- xf/ops/einsum.h - Sums of products by letters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_EINSUM_H
#define XF_OPS_EINSUM_H

#include "xf/ops.h"

namespace xf {

/// Computes a sum of products in Einstein's convention, with one letter for each dimension, as in torch:
/// einsum("bhid,bhjd->bhij", {q, k}). Sums over letters that the right-hand side lacks. Without "->", the result has
/// the letters that occur once, in alphabetical order. A letter that occurs twice in one operand stands for its
/// diagonal, of static size: einsum("ii", {x}) is the trace.
///
/// "..." stands for any dimensions before, between or behind the letters. These dimensions must be equal in all
/// operands with "...". The result has them if the right-hand side has "...", or if there is no "->".
///
/// Multiplies two tensors at a time, from left to right, each time as a matrix product. Throws Error, which names the
/// letter, where sizes differ or where the right-hand side has a letter that no operand has.
Tensor einsum(const std::string &equation, const std::vector<Tensor> &tensors, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_EINSUM_H
