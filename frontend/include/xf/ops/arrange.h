//===- xf/ops/arrange.h - Splitting, joining and turning tensors -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch. Negative axes count from the end.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_ARRANGE_H
#define XF_OPS_ARRANGE_H

#include "xf/ops.h"

namespace xf {

/// Split an axis into parts of `size` elements (the last part may have fewer), or into parts of the given `sizes`.
std::vector<Tensor> split(const Tensor &x, int64_t size, int64_t axis = 0, Here here = Here::current());
std::vector<Tensor> split(const Tensor &x, const std::vector<int64_t> &sizes, int64_t axis = 0,
                          Here here = Here::current());
/// Splits an axis into at most `count` parts of equal size. The last may have fewer elements.
std::vector<Tensor> chunk(const Tensor &x, int64_t count, int64_t axis = 0, Here here = Here::current());
/// Joins tensors of one shape along a new axis.
Tensor stack(const std::vector<Tensor> &tensors, int64_t axis = 0, Here here = Here::current());

/// Removes an axis of size 1, or all of them. Throws Error where the axis has another size.
Tensor squeeze(const Tensor &x, int64_t axis, Here here = Here::current());
Tensor squeeze(const Tensor &x, Here here = Here::current());
/// Inserts an axis of size 1 before dimension `axis`. -1 inserts it behind the last dimension.
Tensor unsqueeze(const Tensor &x, int64_t axis, Here here = Here::current());
/// Merges the dimensions `first` to `last`, both included.
Tensor flatten(const Tensor &x, int64_t first = 0, int64_t last = -1, Here here = Here::current());

/// Reverses the order of floats along an axis. Throws Error unless its size is static.
Tensor flip(const Tensor &x, int64_t axis, Here here = Here::current());
/// Numbers of elements that pad adds before (`low`) and behind (`high`) the elements of an axis. A negative number
/// removes elements.
struct Padding {
  int64_t axis, low = 0, high = 0;
};
/// Pads x with elements that equal `value`. Throws Error where more elements are removed than the axis has.
Tensor pad(const Tensor &x, const std::vector<Padding> &paddings, double value = 0, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_ARRANGE_H
