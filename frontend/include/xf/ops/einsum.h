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
/// result has the letters that occur once, in alphabetical order. Two tensors at a time become a matrix product, from
/// left to right. Throws Error, which names the letter, where sizes differ, a letter occurs twice in one operand, or
/// the right-hand side has a letter that no operand has. There is no "...".
Tensor einsum(const std::string &equation, const std::vector<Tensor> &tensors, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_EINSUM_H
