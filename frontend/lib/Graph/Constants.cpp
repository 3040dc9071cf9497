//===- Constants.cpp - Constants of the program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "xf/ops.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

/// Returns the number of elements of a static shape. Throws Error for any other shape.
static int64_t countElements(const Shape &shape, Here here) {
  int64_t count = 1;
  for (const Dim &size : shape) {
    expect(size.is_static(), here, "expected a static shape of a constant, got ", shape);
    expect(!__builtin_mul_overflow(count, size.value(), &count), here, "expected fewer than 2^63 elements, got shape ",
           shape);
  }
  return count;
}

Tensor xf::full(Shape shape, double value, Dtype dtype, Here here) {
  if (std::any_of(shape.begin(), shape.end(), [](const Dim &size) { return size.is_named(); }))
    return broadcast_to(full({}, value, dtype, here), std::move(shape), here);
  countElements(shape, here);
  Constant constant;
  if (is_float(dtype)) {
    constant.reals = {value};
  } else {
    bool integral = value >= -0x1p63 && value < 0x1p63 && static_cast<double>(static_cast<int64_t>(value)) == value;
    bool fits = integral && (dtype != i32 || static_cast<int32_t>(value) == static_cast<int64_t>(value)) &&
                (dtype != boolean || value == 0 || value == 1);
    expect(integral, here, "expected an integer beside a tensor of ", dtype, ", got ", value);
    expect(fits, here, "expected a number that fits into ", dtype, ", got ", value);
    constant.integers = {static_cast<int64_t>(value)};
  }
  return makeTensor(Op::constant, here, {}, {dtype, std::move(shape)}, std::move(constant));
}

Tensor xf::zeros(Shape shape, Dtype dtype, Here here) { return full(std::move(shape), 0, dtype, here); }
Tensor xf::ones(Shape shape, Dtype dtype, Here here) { return full(std::move(shape), 1, dtype, here); }

Tensor xf::detail::countUp(const Dim &count, int64_t first, int64_t step, Dtype dtype, Here here) {
  if (!count.is_named() && count.value() <= mostWritten) {
    std::vector<int64_t> values(count.value());
    for (int64_t n = 0; n < count.value(); ++n)
      values[n] = first + n * step;
    if (is_float(dtype))
      return constant(std::vector<double>(values.begin(), values.end()), {count}, dtype, here);
    return constant(values, {count}, dtype, here);
  }
  Tensor numbers = makeTensor(Op::iota, here, {full({count}, 0, i64, here)}, {i64, {count}});
  if (step != 1)
    numbers = Operand(numbers, here) * Operand(static_cast<double>(step), here);
  if (first != 0)
    numbers = Operand(numbers, here) + Operand(static_cast<double>(first), here);
  return cast(numbers, dtype, here);
}

Tensor xf::arange(int64_t count, Dtype dtype, Here here) {
  expect(count >= 0, here, "expected a count >= 0 in arange, got ", count);
  return countUp(count, 0, 1, dtype, here);
}

Tensor xf::arange(const Dim &count, Dtype dtype, Here here) { return countUp(count, 0, 1, dtype, here); }

template <typename T>
static Tensor makeConstant(const std::vector<T> &values, Shape shape, Dtype dtype, Here here) {
  int64_t count = countElements(shape, here);
  expect(count == static_cast<int64_t>(values.size()), here, "expected ", count, " values for shape ", shape, ", got ",
         values.size());
  Constant constant;
  if constexpr (std::is_same_v<T, double>)
    constant.reals = values;
  else
    constant.integers = values;
  return makeTensor(Op::constant, here, {}, {dtype, std::move(shape)}, std::move(constant));
}

Tensor xf::constant(const std::vector<int64_t> &values, Shape shape, Dtype dtype, Here here) {
  expect(!is_float(dtype), here, "expected an integer element type for integers, got ", dtype);
  return makeConstant(values, std::move(shape), dtype, here);
}

Tensor xf::constant(const std::vector<double> &values, Shape shape, Dtype dtype, Here here) {
  expect(is_float(dtype), here, "expected a floating-point element type, got ", dtype);
  return makeConstant(values, std::move(shape), dtype, here);
}
