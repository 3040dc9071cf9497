//===- Reductions.cpp - Reductions and softmax along any axis -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/ops/reductions.h"
#include "../Node.h"
#include "xf/ops/arrange.h"

#include <algorithm>
#include <limits>

using namespace xf;
using namespace xf::detail;

static Operand at(const Tensor &x, Here here) { return Operand(x, here); }

/// Converts x to f32 if it has 16 bits. Intermediate values thus keep the digits that the result needs, and only the
/// result is rounded.
static Tensor wide(const Tensor &x, Here here) { return size_of(x.dtype()) == 2 ? cast(x, f32, here) : x; }

Tensor xf::min(const Tensor &x, Axes axes, bool keepDims, Here here) {
  expectFloat(x, "min", here);
  return -at(max(-at(x, here), axes, keepDims, here), here);
}

/// Multiplies the two halves of an axis with each other, element by element, until one element is left. The gradient of
/// an element is then the product of the other elements, even if one of them is 0.
Tensor xf::prod(const Tensor &x, int64_t axis, bool keepDims, Here here) {
  expectFloat(x, "prod", here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  const Dim &size = x.shape()[position];
  expect(size.is_static(), here, "expected a static size along the axis of prod, got ", size);
  if (size.value() == 0) {
    Shape shape = x.shape();
    shape[position] = Dim(1);
    Tensor unit = ones(shape, x.dtype(), here);
    return keepDims ? unit : squeeze(unit, position, here);
  }
  Tensor product = wide(x, here);
  for (int64_t count = size.value(); count > 1; count -= count / 2) {
    int64_t half = count / 2;
    Tensor first = slice(product, position, 0, half, 1, here),
           second = slice(product, position, half, 2 * half, 1, here);
    Tensor pairs = at(first, here) * at(second, here);
    product = count % 2 ? concat({pairs, slice(product, position, count - 1, count, 1, here)}, position, here) : pairs;
  }
  product = cast(product, x.dtype(), here);
  return keepDims ? product : squeeze(product, position, here);
}

/// Returns whether dimension d of a tensor of rank `rank` is one of the axes. No axes mean all dimensions.
static bool isAlong(const Axes &axes, int64_t d, int64_t rank, Here here) {
  return axes.list.empty() || std::any_of(axes.list.begin(), axes.list.end(),
                                          [&](int64_t axis) { return normalizeAxis(axis, rank, here) == d; });
}

/// Returns the number of elements of x along `axes`. Throws Error if one of these sizes is dynamic.
static int64_t countAlong(const Tensor &x, const Axes &axes, const char *what, Here here) {
  int64_t count = 1;
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (!isAlong(axes, d, x.rank(), here))
      continue;
    expect(x.shape()[d].is_static(), here, "expected static sizes along the axes of ", what, ", got ", x.shape());
    count *= x.shape()[d].value();
  }
  return count;
}

/// Returns the first element of x along `axes`, and keeps the axes with size 1.
static Tensor firstAlong(Tensor x, const Axes &axes, Here here) {
  for (int64_t d = 0; d < x.rank(); ++d)
    if (isAlong(axes, d, x.rank(), here))
      x = slice(x, d, 0, 1, 1, here);
  return x;
}

/// Returns the variance of `given` along `axes`, in f32 if `given` has 16 bits. First subtracts one element from all,
/// which does not change the variance. So equal elements become exactly 0, and so does their mean.
static Tensor wideVariance(const Tensor &given, const Axes &axes, bool keepDims, int64_t correction, Here here) {
  expectFloat(given, "var", here);
  Tensor x = wide(given, here);
  int64_t count = countAlong(x, axes, "var", here);
  expect(count > correction, here, "expected more than ", correction, " elements in var, got ", count);
  Tensor shifted = at(x, here) - at(stop_gradient(firstAlong(x, axes, here), here), here);
  Tensor apart = at(shifted, here) - at(mean(shifted, axes, true, here), here);
  return at(sum(square(apart, here), axes, keepDims, here), here) / Operand(double(count - correction), here);
}

Tensor xf::var(const Tensor &x, Axes axes, bool keepDims, int64_t correction, Here here) {
  return cast(wideVariance(x, axes, keepDims, correction, here), x.dtype(), here);
}

Tensor xf::stddev(const Tensor &x, Axes axes, bool keepDims, int64_t correction, Here here) {
  Operand zero(0, here), one(1, here);
  Tensor variance = wideVariance(x, axes, keepDims, correction, here), isPositive = at(variance, here) > zero;
  Tensor root = sqrt(where(isPositive, at(variance, here), one, here), here);
  Tensor y = where(isPositive, at(root, here), at(at(variance, here) * zero, here), here); // 0 and NaN stay
  return cast(y, x.dtype(), here);
}

Tensor xf::logsumexp(const Tensor &given, Axes axes, bool keepDims, Here here) {
  expectFloat(given, "logsumexp", here);
  Tensor x = wide(given, here);
  Tensor top = max(x, axes, true, here); // of which infinities are not subtracted: they would meet themselves
  top = where(at(abs(top, here), here) < Operand(std::numeric_limits<double>::infinity(), here), at(top, here),
              Operand(0, here), here);
  Tensor rest = log(sum(exp(at(x, here) - at(top, here), here), axes, true, here), here),
         y = cast(at(top, here) + at(rest, here), given.dtype(), here);
  return keepDims ? y : reshape(y, max(x, axes, false, here).shape(), here);
}

Tensor xf::softmax(const Tensor &x, int64_t axis, Here here) {
  expectFloat(x, "softmax", here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  if (position == x.rank() - 1)
    return softmax(x, here);
  return transpose(softmax(transpose(x, position, -1, here), here), position, -1, here);
}

Tensor xf::log_softmax(const Tensor &given, int64_t axis, Here here) {
  expectFloat(given, "log_softmax", here);
  Tensor x = wide(given, here);
  int64_t position = normalizeAxis(axis, x.rank(), here);
  Tensor below = at(x, here) - at(max(x, position, true, here), here);
  Tensor y = at(below, here) - at(log(sum(exp(below, here), position, true, here), here), here);
  return cast(y, given.dtype(), here);
}
