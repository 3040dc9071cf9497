//===- Indexing.cpp - Elements by order and by index -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/ops/indexing.h"
#include "../Node.h"
#include "xf/ops/arrange.h"

using namespace xf;
using namespace xf::detail;

/// Moves an axis behind all others. axisBack moves it back.
static Tensor axisLast(const Tensor &x, int64_t axis, Here here) {
  if (axis == x.rank() - 1)
    return x;
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != axis)
      axes.push_back(d);
  axes.push_back(axis);
  return transpose(x, axes, here);
}

static Tensor axisBack(const Tensor &x, int64_t axis, Here here) {
  if (axis == x.rank() - 1)
    return x;
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < x.rank() - 1; ++d)
    axes.push_back(d);
  axes.insert(axes.begin() + axis, x.rank() - 1);
  return transpose(x, axes, here);
}

/// Throws Error unless x has an axis `axis`. Returns the number of this axis, counted from the first one.
static int64_t expectAxis(const Tensor &x, int64_t axis, const char *what, Here here) {
  expectFloat(x, what, here);
  expect(x.rank() >= 1, here, "expected rank 1 or more in ", what, ", got a scalar");
  return normalizeAxis(axis, x.rank(), here);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Returns the first `count` elements along an axis in sorted order, and their indices. `count` becomes the size of the
/// axis.
static Ordered inOrder(const Tensor &x, const Dim &count, int64_t axis, bool largest, Here here) {
  Tensor rows = axisLast(x, axis, here);
  Shape shape = rows.shape();
  shape.back() = count;
  auto node = makeNode(Op::topK, here, {rows}, {{x.dtype(), shape}, {i64, shape}}, int64_t(largest));
  return {axisBack(Tensor(node, 0), axis, here), axisBack(Tensor(node, 1), axis, here)};
}

Ordered xf::topk(const Tensor &x, int64_t k, int64_t axis, bool largest, Here here) {
  int64_t position = expectAxis(x, axis, "topk", here);
  const Dim &size = x.shape()[position];
  int64_t most = size.is_named() ? size.range().max : size.value();
  expect(k >= 0 && (most < 0 || k <= most), here, "expected k in [0, ", size, "] in topk, got ", k);
  return inOrder(x, Dim(k), position, largest, here);
}

Ordered xf::sort(const Tensor &x, int64_t axis, bool descending, Here here) {
  int64_t position = expectAxis(x, axis, "sort", here);
  return inOrder(x, x.shape()[position], position, descending, here);
}

Tensor xf::argsort(const Tensor &x, int64_t axis, bool descending, Here here) {
  return sort(x, axis, descending, here).indices;
}

static Tensor argument(const Tensor &x, int64_t axis, bool keepDims, const char *what, Here here) {
  int64_t position = normalizeAxis(axis, x.rank(), here);
  const Dim &size = x.shape()[position];
  expect(!size.is_static() || size.value() > 0, here, "expected at least one element in ", what, ", got shape ",
         x.shape());
  Tensor index = inOrder(x, Dim(1), position, /*largest=*/true, here).indices;
  return keepDims ? index : squeeze(index, position, here);
}

Tensor xf::argmax(const Tensor &x, int64_t axis, bool keepDims, Here here) {
  expectAxis(x, axis, "argmax", here);
  return argument(x, axis, keepDims, "argmax", here);
}
/// Finds the largest element of -x. NaN counts as the largest there too.
Tensor xf::argmin(const Tensor &x, int64_t axis, bool keepDims, Here here) {
  expectAxis(x, axis, "argmin", here);
  return argument(-Operand(x, here), axis, keepDims, "argmin", here);
}

//===----------------------------------------------------------------------===//
// Slices by index
//===----------------------------------------------------------------------===//

/// Makes calls check that `ids`, if it is an input, holds indices of a dimension of size `size`.
static void expectIndices(const Tensor &ids, const Dim &size, const char *what, Here here) {
  expectInteger(ids, what, here);
  if (size.is_static())
    restrictRange(ids, 0, size.value() - 1);
}

/// Returns `ids` with those outside of [0, count) replaced by the nearest number inside.
static Tensor nearestIndices(const Tensor &ids, int64_t count, Here here) {
  return clamp(ids, 0, static_cast<double>(count - 1), here);
}

/// Returns x as a matrix with one row for each slice along the first axis.
static Tensor slicesOf(const Tensor &x, Here here) {
  if (x.rank() == 2)
    return x;
  return reshape(x, {x.shape()[0], x.rank() == 1 ? Dim(1) : Dim(-1)}, here);
}

/// Moves the first `count` dimensions behind the `before` dimensions that follow them.
static Tensor moveBehind(const Tensor &x, int64_t count, int64_t before, Here here) {
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < before; ++d)
    axes.push_back(count + d);
  for (int64_t d = 0; d < count; ++d)
    axes.push_back(d);
  for (int64_t d = count + before; d < x.rank(); ++d)
    axes.push_back(d);
  return before == 0 ? x : transpose(x, axes, here);
}

/// Moves an axis to the front.
static Tensor moveToFront(const Tensor &x, int64_t axis, Here here) {
  std::vector<int64_t> axes = {axis};
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != axis)
      axes.push_back(d);
  return axis == 0 ? x : transpose(x, axes, here);
}

Tensor xf::index_select(const Tensor &x, int64_t axis, const Tensor &ids, Here here) {
  int64_t position = expectAxis(x, axis, "index_select", here);
  expectIndices(ids, x.shape()[position], "the ids of index_select", here);
  Tensor front = moveToFront(x, position, here);
  Tensor rows = embedding(slicesOf(front, here), ids, here);
  Shape shape = ids.shape();
  shape.insert(shape.end(), front.shape().begin() + 1, front.shape().end());
  return moveBehind(reshape(rows, shape, here), ids.rank(), position, here);
}

Tensor xf::index_add(const Tensor &x, int64_t axis, const Tensor &ids, const Tensor &updates, Here here) {
  int64_t position = expectAxis(x, axis, "index_add", here);
  expectFloat(updates, "the updates of index_add", here);
  expectRank(ids, 1, "the ids of index_add", here);
  const Dim &size = x.shape()[position];
  expect(size.is_static(), here, "expected a static size along the axis of index_add, got ", size);
  expectIndices(ids, size, "the ids of index_add", here);
  Shape expected = x.shape();
  expected[position] = ids.shape()[0];
  bool fits = updates.dtype() == x.dtype() && updates.rank() == x.rank();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = expected[d].may_equal(updates.shape()[d]);
  expect(fits, here, "expected updates of shape ", expected, " of ", x.dtype(), " in index_add, got ", updates.shape(),
         " of ", updates.dtype());
  Tensor front = moveToFront(x, position, here), table = slicesOf(front, here);
  Tensor rows = slicesOf(moveToFront(updates, position, here), here);
  Tensor sums = makeTensor(Op::indexAdd, here, {table, ids, rows}, {x.dtype(), table.shape()});
  return moveBehind(reshape(sums, front.shape(), here), 1, position, here);
}

//===----------------------------------------------------------------------===//
// Rows by number
//===----------------------------------------------------------------------===//

/// Converts numbers of rows within a matrix to numbers of rows among all matrices of x. x is ..xNxD, and `rows` has the
/// numbers for each leading index of x. A number out of [0, N) becomes the nearest row of the same matrix, so that no
/// row of another matrix is read.
static Tensor amongAllRows(const Tensor &x, const Tensor &rows, const std::string &what, Here here) {
  expectFloat(x, what.c_str(), here);
  expect(x.rank() >= 2, here, "expected rank 2 or more in ", what, ", got shape ", x.shape());
  expect(x.size(-2).is_static(), here, "expected a static number of rows in ", what, ", got ", x.size(-2));
  expectIndices(rows, x.size(-2), ("the rows of " + what).c_str(), here);
  bool fits = rows.rank() == x.rank() - 1;
  Dim places(1);
  Shape starts;
  for (int64_t d = 0; fits && d < x.rank() - 2; ++d) {
    fits = x.shape()[d].may_equal(rows.shape()[d]);
    places = places * x.shape()[d];
    starts.push_back(x.shape()[d]);
  }
  expect(fits, here, "expected the leading sizes of ", x.shape(), " in the rows of ", what, ", got ", rows.shape());
  starts.push_back(Dim(1));
  Tensor first = Operand(arange(places, i64, here), here) * static_cast<double>(x.size(-2).value());
  Tensor nearest = nearestIndices(cast(rows, i64, here), x.size(-2).value(), here);
  return Operand(nearest, here) + Operand(reshape(first, starts, here), here);
}

static Tensor asMatrix(const Tensor &x, Here here) { return reshape(x, {Dim(-1), x.size(-1)}, here); }

Tensor xf::gather_rows(const Tensor &x, const Tensor &rows, Here here) {
  Tensor numbers = amongAllRows(x, rows, "gather_rows", here);
  return embedding(asMatrix(x, here), numbers, here);
}

Tensor xf::scatter_add_rows(const Tensor &x, const Tensor &rows, const Tensor &updates, Here here) {
  Tensor numbers = amongAllRows(x, rows, "scatter_add_rows", here);
  expectFloat(updates, "the updates of scatter_add_rows", here);
  Shape expected = rows.shape();
  expected.push_back(x.size(-1));
  bool fits = updates.dtype() == x.dtype() && updates.rank() == x.rank();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = expected[d].may_equal(updates.shape()[d]);
  expect(fits, here, "expected updates of shape ", expected, " of ", x.dtype(), " in scatter_add_rows, got ",
         updates.shape(), " of ", updates.dtype());
  Tensor sums = index_add(asMatrix(x, here), 0, reshape(numbers, {Dim(-1)}, here), asMatrix(updates, here), here);
  return reshape(sums, x.shape(), here);
}

//===----------------------------------------------------------------------===//
// Elements by index
//===----------------------------------------------------------------------===//

/// Throws Error unless `indices` has the rank of x, and its sizes except along `axis`.
static void expectAlong(const Tensor &x, const Tensor &indices, int64_t axis, const char *what, Here here) {
  bool fits = indices.rank() == x.rank();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = d == axis || x.shape()[d].may_equal(indices.shape()[d]);
  expect(fits, here, "expected the sizes ", x.shape(), " but along axis ", axis, " in the indices of ", what, ", got ",
         indices.shape());
}

Tensor xf::gather(const Tensor &x, int64_t axis, const Tensor &indices, Here here) {
  int64_t position = expectAxis(x, axis, "gather", here);
  expectIndices(indices, x.shape()[position], "the indices of gather", here);
  expectAlong(x, indices, position, "gather", here);
  Tensor rows = axisLast(x, position, here), columns = axisLast(indices, position, here);
  Tensor y = makeTensor(Op::takeAlong, here, {rows, columns}, {x.dtype(), columns.shape()});
  return axisBack(y, position, here);
}

Tensor xf::scatter_add(const Tensor &x, int64_t axis, const Tensor &indices, const Tensor &updates, Here here) {
  int64_t position = expectAxis(x, axis, "scatter_add", here);
  expectIndices(indices, x.shape()[position], "the indices of scatter_add", here);
  expectAlong(x, indices, position, "scatter_add", here);
  expectFloat(updates, "the updates of scatter_add", here);
  bool fits = updates.dtype() == x.dtype() && updates.rank() == x.rank();
  for (int64_t d = 0; fits && d < x.rank(); ++d)
    fits = indices.shape()[d].may_equal(updates.shape()[d]);
  expect(fits, here, "expected updates of shape ", indices.shape(), " of ", x.dtype(), " in scatter_add, got ",
         updates.shape(), " of ", updates.dtype());
  Tensor rows = axisLast(x, position, here);
  Tensor sums =
      makeTensor(Op::sumAlong, here, {rows, axisLast(indices, position, here), axisLast(updates, position, here)},
                 {x.dtype(), rows.shape()});
  return Operand(x, here) + Operand(axisBack(sums, position, here), here);
}

Tensor xf::one_hot(const Tensor &ids, int64_t classes, Dtype dtype, Here here) {
  expect(classes >= 1, here, "expected at least one class in one_hot, got ", classes);
  expectIndices(ids, Dim(classes), "the ids of one_hot", here);
  Tensor numbers = arange(classes, ids.dtype(), here), nearest = nearestIndices(ids, classes, here);
  return cast(Operand(unsqueeze(nearest, -1, here), here) == Operand(numbers, here), dtype, here);
}

//===----------------------------------------------------------------------===//
// Sums so far
//===----------------------------------------------------------------------===//

Tensor xf::cumsum(const Tensor &x, int64_t axis, Here here) {
  expectDefined(x, "cumsum", here);
  expect(x.dtype() != boolean, here, "expected floats or integers in cumsum, got ", x.dtype());
  expect(x.rank() >= 1, here, "expected rank 1 or more in cumsum, got a scalar");
  int64_t position = normalizeAxis(axis, x.rank(), here);
  Tensor rows = axisLast(x, position, here);
  return axisBack(makeTensor(Op::cumsum, here, {rows}, {rows.dtype(), rows.shape()}), position, here);
}
