//===- Comparison.cpp - How far a result is from what it should be --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sweep/Comparison.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::xf;
using reference::Tensor;

double sweep::toleranceOf(Type type, bool isDerivative, bool hasKernels) {
  if (type.isBF16())
    return isDerivative ? 3e-2 : 6e-3;
  if (type.isF16())
    return isDerivative ? 4e-3 : 1e-3;
  if (type.isF32() && hasKernels)
    return isDerivative ? 5e-5 : 1e-5;
  if (type.isF32())
    return isDerivative ? 1e-5 : 2e-6;
  return isDerivative ? 1e-10 : 1e-12;
}

static bool isSameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

static double squaredNorm(const double *row, int64_t columns) {
  double sum = 0;
  for (int64_t n = 0; n < columns; ++n)
    sum += std::isfinite(row[n]) ? row[n] * row[n] : 0;
  return sum;
}

/// |actual - expected|^2, infinite where an element that is not finite differs.
static double squaredDifference(const double *actual, const double *expected, int64_t columns) {
  double sum = 0;
  for (int64_t n = 0; n < columns; ++n) {
    if (isSameNumber(actual[n], expected[n]))
      continue;
    double difference = actual[n] - expected[n];
    if (!std::isfinite(difference))
      return std::numeric_limits<double>::infinity();
    sum += difference * difference;
  }
  return sum;
}

double sweep::typicalRow(const Tensor &tensor) {
  if (!tensor.isReal() || tensor.size() == 0)
    return 0;
  return std::sqrt(squaredNorm(tensor.reals.data(), tensor.size()) / double(tensor.rows()));
}

double sweep::largestRowError(const Tensor &actual, const Tensor &expected, double floor) {
  if (actual.shape != expected.shape || actual.integers != expected.integers)
    return std::numeric_limits<double>::infinity();
  if (!expected.isReal() || expected.size() == 0)
    return 0;
  double typical = typicalRow(expected), least = typical == 0 ? 1 : std::max(typical, floor), largest = 0;
  for (int64_t row = 0; row < expected.rows(); ++row) {
    double difference = squaredDifference(actual.row(row), expected.row(row), expected.columns());
    double norm = std::max(squaredNorm(expected.row(row), expected.columns()), least * least);
    largest = std::max(largest, std::sqrt(difference / norm));
  }
  return largest;
}
