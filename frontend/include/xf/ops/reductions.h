//===- xf/ops/reductions.h - Reductions and softmax along any axis -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch. Negative axes count from the end.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_REDUCTIONS_H
#define XF_OPS_REDUCTIONS_H

#include "xf/ops.h"

namespace xf {

/// Returns the smallest element, or NaN if an element is NaN. The gradient goes to the first of equal elements. Throws
/// Error if there is no element. A call whose dynamic sizes leave no element returns infinity.
Tensor min(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
/// Returns the product of the elements along an axis, multiplied in pairs. Throws Error unless the size of the axis is
/// static.
Tensor prod(const Tensor &x, int64_t axis, bool keep_dims = false, Here here = Here::current());
/// Return the variance sum((x - mean)^2) / (n - correction) of the n elements along `axes` (var), or its square root
/// (stddev). The gradient of the root is 0 where all elements are equal. Throw Error unless the axes are static and n >
/// `correction`.
Tensor var(const Tensor &x, Axes axes = {}, bool keep_dims = false, int64_t correction = 1,
           Here here = Here::current());
Tensor stddev(const Tensor &x, Axes axes = {}, bool keep_dims = false, int64_t correction = 1,
              Here here = Here::current());

/// Computes log sum e^x without overflow.
Tensor logsumexp(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
/// Computes the softmax along an axis.
Tensor softmax(const Tensor &x, int64_t axis, Here here = Here::current());
/// Computes x - log sum e^x along an axis, accurately where the softmax is 0.
Tensor log_softmax(const Tensor &x, int64_t axis = -1, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_REDUCTIONS_H
