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

/// Computes a sum of products that is written with one letter per dimension (Einstein's convention), as torch does:
/// einsum("bhid,bhjd->bhij", {q, k}). Letters that the right-hand side does not have are summed over. Without "->", the
/// result has the letters that occur once, in alphabetical order. A letter that occurs twice in one operand stands for
/// its diagonal, of static size: einsum("ii", {x}) is the trace. "..." stands for the dimensions before, between or
/// behind the letters; operands have the same ones, and the result has them where it says "..." or has no "->". Two
/// tensors at a time become a matrix product, from left to right. Throws Error, which names the letter, where sizes
/// differ or the right-hand side has a letter that no operand has.
Tensor einsum(const std::string &equation, const std::vector<Tensor> &tensors, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_EINSUM_H
