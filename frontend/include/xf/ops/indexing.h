//===- xf/ops/indexing.h - Elements by order and by index -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch. Negative axes count from the end.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_INDEXING_H
#define XF_OPS_INDEXING_H

#include "xf/ops.h"

namespace xf {

/// The elements along an axis in sorted order, and the index along the axis (i64) that each of them had before.
struct Ordered {
  Tensor values, indices;
};
/// Returns the `k` largest elements along an axis in descending order, or the `k` smallest in ascending order. Equal
/// elements keep their order, and NaN counts as larger than every number. Gradients go through the values. Throws Error
/// unless the axis has at least `k` elements. Takes at most N log `k` steps for an axis of N elements, in any order.
Ordered topk(const Tensor &x, int64_t k, int64_t axis = -1, bool largest = true, Here here = Here::current());
/// Sorts along an axis. Equal elements keep their order. NaN comes last, or first if `descending`. Is a radix sort:
/// takes N steps for an axis of N elements.
Ordered sort(const Tensor &x, int64_t axis = -1, bool descending = false, Here here = Here::current());
/// Returns the indices of sort.
Tensor argsort(const Tensor &x, int64_t axis = -1, bool descending = false, Here here = Here::current());
/// Return the index (i64) of the largest (argmax) or smallest (argmin) element along an axis, the first of equal ones.
/// Return the index of the first NaN if there is one.
Tensor argmax(const Tensor &x, int64_t axis = -1, bool keep_dims = false, Here here = Here::current());
Tensor argmin(const Tensor &x, int64_t axis = -1, bool keep_dims = false, Here here = Here::current());

/// Returns the slices of x at `ids`: x[.., ids, ..]. The dimensions of `ids`, which may have any shape, replace the
/// axis. If `ids` is an input of the program and the axis is static, every call checks that its elements are indices of
/// the axis.
Tensor index_select(const Tensor &x, int64_t axis, const Tensor &ids, Here here = Here::current());
/// Adds the slices of `updates` to x at `ids`, and returns the sum: y[.., ids[n], ..] += updates[.., n, ..]. `ids` has
/// rank 1. Throws Error unless the axis is static.
Tensor index_add(const Tensor &x, int64_t axis, const Tensor &ids, const Tensor &updates, Here here = Here::current());
/// Returns a tensor of the shape of `indices`. An element of `indices` gives the coordinate along the axis of the
/// element of x to return; the other coordinates are its own: y[i, n, j] = x[i, indices[i, n, j], j]. `indices` has the
/// shape of x except along the axis. Its elements are checked as in index_select.
Tensor gather(const Tensor &x, int64_t axis, const Tensor &indices, Here here = Here::current());
/// Adds each element of `updates` to the element of x that gather(x, axis, indices) reads at the same place. Returns
/// the sum: y[i, indices[i, n, j], j] += updates[i, n, j]. Elements are added in the order of n.
Tensor scatter_add(const Tensor &x, int64_t axis, const Tensor &indices, const Tensor &updates,
                   Here here = Here::current());
/// Returns the rows of x whose numbers `rows` has: y[.., n, :] = x[.., rows[.., n], :]. x is ..xNxD, and `rows` is
/// ..xM. Each batch entry and head chooses its own rows, such as the tokens of a cluster. If `rows` is an input of the
/// program, every call checks that its elements lie in [0, N). Throws Error unless N is static.
Tensor gather_rows(const Tensor &x, const Tensor &rows, Here here = Here::current());
/// Adds each row of `updates`, ..xMxD, to the row of x, ..xNxD, that gather_rows(x, rows) reads at the same place.
/// Returns the sum: y[.., rows[.., n], :] += updates[.., n, :]. Rows are added in the order of n. Takes the time of
/// reading the updates. Throws Error unless all sizes of x except the last are static.
Tensor scatter_add_rows(const Tensor &x, const Tensor &rows, const Tensor &updates, Here here = Here::current());
/// Returns a tensor with a new last dimension of `classes` elements: 1 at element ids[..], and 0 elsewhere. If `ids` is
/// an input of the program, every call checks that its elements lie in [0, classes). A computed id out of range counts
/// as the nearest class.
Tensor one_hot(const Tensor &ids, int64_t classes, Dtype dtype = f32, Here here = Here::current());

/// Returns cumulative sums along an axis: each element of the result is the sum of the elements of x up to and
/// including its own index. Elements are floats or integers. Floats are summed in f64, then converted to the type of x.
Tensor cumsum(const Tensor &x, int64_t axis = -1, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_INDEXING_H
