//===- Arrange.cpp - Splitting, joining and turning tensors -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/ops/arrange.h"
#include "../Node.h"
#include "xf/ops/indexing.h"

#include <algorithm>
#include <numeric>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Returns the static size of an axis. Throws Error where it is dynamic.
static int64_t staticSize(const Tensor &x, int64_t position, const char *what, Here here) {
  const Dim &size = x.shape()[position];
  expect(size.is_static(), here, "expected a static size along the axis of ", what, ", got ", size);
  return size.value();
}

std::vector<Tensor> xf::split(const Tensor &x, const std::vector<int64_t> &sizes, int64_t axis, Here here) {
  expectDefined(x, "split", here);
  int64_t position = normalizeAxis(axis, x.rank(), here), size = staticSize(x, position, "split", here);
  for (int64_t part : sizes)
    expect(part >= 0, here, "expected sizes >= 0 in split, got ", part);
  int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
  expect(total == size, here, "expected sizes whose sum is ", size, " in split, got ", total);
  std::vector<Tensor> parts;
  int64_t begin = 0;
  for (int64_t part : sizes) {
    parts.push_back(slice(x, position, begin, begin + part, 1, here));
    begin += part;
  }
  return parts;
}

std::vector<Tensor> xf::split(const Tensor &x, int64_t size, int64_t axis, Here here) {
  expectDefined(x, "split", here);
  expect(size >= 1, here, "expected a size >= 1 in split, got ", size);
  int64_t position = normalizeAxis(axis, x.rank(), here), total = staticSize(x, position, "split", here);
  std::vector<int64_t> sizes;
  for (int64_t begin = 0; begin < total; begin += size)
    sizes.push_back(std::min(size, total - begin));
  return split(x, sizes, position, here);
}

std::vector<Tensor> xf::chunk(const Tensor &x, int64_t count, int64_t axis, Here here) {
  expectDefined(x, "chunk", here);
  expect(count >= 1, here, "expected a count >= 1 in chunk, got ", count);
  int64_t position = normalizeAxis(axis, x.rank(), here), total = staticSize(x, position, "chunk", here);
  return split(x, std::max<int64_t>(1, (total + count - 1) / count), position, here);
}

Tensor xf::stack(const std::vector<Tensor> &tensors, int64_t axis, Here here) {
  expect(!tensors.empty(), here, "expected at least one tensor in stack, got none");
  std::vector<Tensor> parts;
  for (const Tensor &tensor : tensors) {
    expectDefined(tensor, "stack", here);
    expect(tensor.dtype() == tensors[0].dtype(), here, "expected one element type in stack, got ", tensors[0].dtype(),
           " and ", tensor.dtype());
    bool fits = tensor.rank() == tensors[0].rank();
    for (int64_t d = 0; fits && d < tensor.rank(); ++d)
      fits = tensor.shape()[d].may_equal(tensors[0].shape()[d]);
    expect(fits, here, "expected tensors of one shape in stack, got ", tensors[0].shape(), " and ", tensor.shape());
    parts.push_back(unsqueeze(tensor, axis, here));
  }
  return concat(parts, normalizeAxis(axis, tensors[0].rank() + 1, here), here);
}

//===----------------------------------------------------------------------===//
// Dimensions of size 1
//===----------------------------------------------------------------------===//

Tensor xf::squeeze(const Tensor &x, int64_t axis, Here here) {
  expectDefined(x, "squeeze", here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  Shape shape = x.shape();
  expect(shape[position].value() == 1, here, "expected a size of 1 along the axis of squeeze, got ", shape[position]);
  shape.erase(shape.begin() + position);
  return reshape(x, shape, here);
}

Tensor xf::squeeze(const Tensor &x, Here here) {
  expectDefined(x, "squeeze", here);
  Shape shape;
  for (const Dim &size : x.shape())
    if (size.value() != 1)
      shape.push_back(size);
  return reshape(x, shape, here);
}

Tensor xf::unsqueeze(const Tensor &x, int64_t axis, Here here) {
  expectDefined(x, "unsqueeze", here);
  int64_t position = normalizeAxis(axis, x.rank() + 1, here);
  Shape shape = x.shape();
  shape.insert(shape.begin() + position, Dim(1));
  return reshape(x, shape, here);
}

Tensor xf::flatten(const Tensor &x, int64_t first, int64_t last, Here here) {
  expectDefined(x, "flatten", here);
  if (x.rank() == 0)
    return reshape(x, {1}, here);
  int64_t begin = normalizeAxis(first, x.rank(), here), end = normalizeAxis(last, x.rank(), here);
  expect(begin <= end, here, "expected first <= last in flatten, got ", first, " and ", last);
  if (begin == end)
    return x;
  Shape shape(x.shape().begin(), x.shape().begin() + begin);
  shape.push_back(Dim(-1));
  shape.insert(shape.end(), x.shape().begin() + end + 1, x.shape().end());
  return reshape(x, shape, here);
}

//===----------------------------------------------------------------------===//
// Order and edges
//===----------------------------------------------------------------------===//

Tensor xf::flip(const Tensor &x, int64_t axis, Here here) {
  expectFloat(x, "flip", here);
  int64_t position = normalizeAxis(axis, x.rank(), here), size = staticSize(x, position, "flip", here);
  return index_select(x, position, countUp(size, size - 1, -1, i64, here), here);
}

/// Adds `count` elements that equal `value` to x, before or behind those of an axis.
static Tensor joinFilled(const Tensor &x, int64_t position, int64_t count, bool before, double value, Here here) {
  if (count == 0)
    return x;
  Shape shape = x.shape();
  shape[position] = Dim(count);
  Tensor filled = full(shape, value, x.dtype(), here);
  return before ? concat({filled, x}, position, here) : concat({x, filled}, position, here);
}

/// Returns x without the elements that negative paddings remove, and sets these paddings to 0.
static Tensor cropped(Tensor x, std::vector<Padding> &paddings, Here here) {
  for (Padding &padding : paddings) {
    int64_t before = std::max(-padding.low, int64_t(0)), after = std::max(-padding.high, int64_t(0));
    const Dim size = x.shape()[padding.axis];
    if (before + after == 0)
      continue;
    expect(!size.is_static() || before + after <= size.value(), here, "expected at most ", size,
           " elements to take away in pad, got ", before, " and ", after);
    x = slice(x, padding.axis, Dim(before), size - Dim(after), 1, here);
    padding.low = std::max(padding.low, int64_t(0));
    padding.high = std::max(padding.high, int64_t(0));
  }
  return x;
}

Tensor xf::pad(const Tensor &x, const std::vector<Padding> &paddings, double value, Here here) {
  expectDefined(x, "pad", here);
  constexpr int64_t most = int64_t(1) << 62;
  std::vector<Padding> all = paddings;
  std::vector<int64_t> low(x.rank(), 0), high(x.rank(), 0);
  std::vector<bool> isPadded(x.rank(), false);
  for (Padding &padding : all) {
    expect(std::max(padding.low, padding.high) < most && std::min(padding.low, padding.high) > -most, here,
           "expected low and high of less than 2^62 in pad, got ", padding.low, " and ", padding.high);
    int64_t position = normalizeAxis(padding.axis, x.rank(), here);
    expect(!isPadded[position], here, "expected each axis once in pad, got ", padding.axis, " twice");
    isPadded[position] = true;
    padding.axis = position;
  }
  Tensor y = cropped(x, all, here);
  Shape shape = y.shape();
  for (const Padding &padding : all) {
    low[padding.axis] = padding.low;
    high[padding.axis] = padding.high;
    shape[padding.axis] = shape[padding.axis] + Dim(padding.low) + Dim(padding.high);
  }
  bool isStatic = std::all_of(all.begin(), all.end(), [&](const Padding &p) { return shape[p.axis].is_static(); });
  if (value == 0 && isStatic)
    return makeTensor(Op::pad, here, {y}, {x.dtype(), shape},
                      SliceBounds{Shape(low.begin(), low.end()), std::vector<int64_t>(x.rank(), 1)});
  for (int64_t d = 0; d < x.rank(); ++d)
    y = joinFilled(joinFilled(y, d, low[d], /*before=*/true, value, here), d, high[d], /*before=*/false, value, here);
  return y;
}
