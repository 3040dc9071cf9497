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

/// Elements in order along an axis, and where they were along it (i64).
struct Ordered {
  Tensor values, indices;
};
/// Returns the k largest elements along an axis, the largest first, or the k smallest ones. Equal elements keep their
/// order, and NaN counts as larger than every number. Gradients go through the values. Throws Error unless the axis has
/// at least k elements. Takes at most N log k steps of an axis of N, whatever the order of its elements.
Ordered topk(const Tensor &x, int64_t k, int64_t axis = -1, bool largest = true, Here here = Here::current());
/// Sorts along an axis; stable, NaN last (first where descending). Takes N steps of an axis of N, by digits of numbers.
Ordered sort(const Tensor &x, int64_t axis = -1, bool descending = false, Here here = Here::current());
/// Returns the indices of sort.
Tensor argsort(const Tensor &x, int64_t axis = -1, bool descending = false, Here here = Here::current());
/// Return the index (i64) of the first largest or smallest element along an axis; of the first NaN, if there is one.
Tensor argmax(const Tensor &x, int64_t axis = -1, bool keep_dims = false, Here here = Here::current());
Tensor argmin(const Tensor &x, int64_t axis = -1, bool keep_dims = false, Here here = Here::current());

/// Returns the slices of x at `ids` (of any shape, which replaces the axis): x[.., ids, ..]. Where `ids` is an input of
/// the program, every call checks that its elements are indices of the axis, if that is static.
Tensor index_select(const Tensor &x, int64_t axis, const Tensor &ids, Here here = Here::current());
/// Returns x with the slices of `updates` added at `ids`, which has rank 1: y[.., ids[n], ..] += updates[.., n, ..].
/// Throws Error unless the axis is static.
Tensor index_add(const Tensor &x, int64_t axis, const Tensor &ids, const Tensor &updates, Here here = Here::current());
/// Returns one element for each index, which replaces its coordinate along the axis: y[i, n, j] = x[i, indices[i, n,
/// j], j]. `indices` has the shape of x but for the axis. Its elements are checked as those of index_select.
Tensor gather(const Tensor &x, int64_t axis, const Tensor &indices, Here here = Here::current());
/// Returns x with each element of `updates` added where gather would read: y[i, indices[i, n, j], j] += updates[i, n,
/// j], in the order of n.
Tensor scatter_add(const Tensor &x, int64_t axis, const Tensor &indices, const Tensor &updates,
                   Here here = Here::current());
/// Returns rows of x, ..xNxD, by number: y[.., n, :] = x[.., rows[.., n], :] for `rows` of ..xM, so that each batch
/// entry and head chooses its own: the tokens of a cluster, or all tokens in another order. Where `rows` is an input of
/// the program, every call checks that its elements lie in [0, N). Throws Error unless N is static.
Tensor gather_rows(const Tensor &x, const Tensor &rows, Here here = Here::current());
/// Returns x, ..xNxD, with each row of `updates`, ..xMxD, added where gather_rows would read it: y[.., rows[.., n], :]
/// += updates[.., n, :], in the order of n. Takes the time of reading the updates. Throws Error unless the sizes of x
/// but the last one are static.
Tensor scatter_add_rows(const Tensor &x, const Tensor &rows, const Tensor &updates, Here here = Here::current());
/// Returns 1 at the element `ids[..]` of a new last dimension of `classes` elements, 0 elsewhere.
Tensor one_hot(const Tensor &ids, int64_t classes, Dtype dtype = f32, Here here = Here::current());

/// Returns the sums of the elements up to each one along an axis, of floats or integers. Sums of floats are in f64, and
/// then have the type of x.
Tensor cumsum(const Tensor &x, int64_t axis = -1, Here here = Here::current());

} // namespace xf

#endif // XF_OPS_INDEXING_H
