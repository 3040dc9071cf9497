//===- Tensor.h - The reference interpreter's values -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_TENSOR_H
#define XF_TEST_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <vector>

namespace mlir::xf::reference {

/// A tensor in row-major order. Floating-point elements are f64 whatever their type says; integers are exact, i1 is 0
/// or 1. One of the two vectors is in use.
struct Tensor {
  Type elementType;
  SmallVector<int64_t> shape;
  std::vector<double> reals;
  std::vector<int64_t> integers;

  static Tensor zeros(Type elementType, ArrayRef<int64_t> shape);
  static Tensor zerosLike(const Tensor &other) { return zeros(other.elementType, other.shape); }
  static Tensor of(DenseElementsAttr elements);

  bool isReal() const { return isa<FloatType>(elementType); }
  int64_t rank() const { return shape.size(); }
  int64_t size() const { return isReal() ? reals.size() : integers.size(); }
  /// Size of the last dimension, and how many such rows there are.
  int64_t columns() const { return shape.empty() ? 1 : shape.back(); }
  int64_t rows() const { return columns() ? size() / columns() : 0; }
  double *row(int64_t number) { return reals.data() + number * columns(); }
  const double *row(int64_t number) const { return reals.data() + number * columns(); }
};

/// The product of `shape`.
int64_t count(ArrayRef<int64_t> shape);

/// The coordinates of element `number` of a row-major tensor, and back.
SmallVector<int64_t> coordinates(int64_t number, ArrayRef<int64_t> shape);
int64_t linearIndex(ArrayRef<int64_t> coordinates, ArrayRef<int64_t> shape);

/// The element of a tensor of shape `operand` that numpy's broadcasting to `shape` puts at element `number`.
int64_t broadcastIndex(int64_t number, ArrayRef<int64_t> shape, ArrayRef<int64_t> operand);

/// The cotangent of an operand; zero stays zero whatever the slope, so that what a selection hides stays hidden.
inline double passBack(double cotangent, double slope) { return cotangent == 0 ? 0 : cotangent * slope; }

/// `value` as an element of `type` holds it: to nearest, ties to even.
double roundTo(Type type, double value);

/// The integer that `width` bits keep of `value`, sign-extended; 0 or 1 for one bit.
int64_t wrapTo(unsigned width, int64_t value);

/// `value` truncated to an integer of `width` bits: saturated, NaN is 0.
int64_t truncateTo(unsigned width, double value);

/// <a, b>
inline double dot(const double *a, const double *b, int64_t size) {
  double sum = 0;
  for (int64_t n = 0; n < size; ++n)
    sum += a[n] * b[n];
  return sum;
}

/// y += factor x
inline void addScaled(double *y, double factor, const double *x, int64_t size) {
  for (int64_t n = 0; n < size; ++n)
    y[n] += factor * x[n];
}

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_TENSOR_H
