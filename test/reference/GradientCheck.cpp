//===- GradientCheck.cpp - Adjoints against finite differences ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/GradientCheck.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

static constexpr double step = 1e-5;

double DirectionalDerivative::relativeError() const {
  double error = std::fabs(adjoint - difference);
  return error == 0 ? 0 : error / std::max({size, std::fabs(adjoint), std::fabs(difference)});
}

static double innerProduct(const Tensor &a, const Tensor &b) {
  return std::inner_product(a.reals.begin(), a.reals.end(), b.reals.begin(), 0.0);
}

static FailureOr<double> objective(const Interpreter &interpreter, func::FuncOp function, ArrayRef<Tensor> arguments,
                                   ArrayRef<Tensor> cotangents) {
  FailureOr<Tensors> results = interpreter.evaluate(function, arguments);
  if (failed(results))
    return failure();
  double sum = 0;
  for (auto [result, cotangent] : llvm::zip(*results, cotangents))
    sum += result.isReal() ? innerProduct(result, cotangent) : 0;
  return sum;
}

FailureOr<DirectionalDerivative> reference::differentiateAlong(const Interpreter &interpreter, func::FuncOp function,
                                                               ArrayRef<Tensor> arguments, ArrayRef<Tensor> cotangents,
                                                               const Tensor &gradient, size_t number, uint64_t seed) {
  std::mt19937_64 generator(seed + number);
  std::normal_distribution<double> normal;
  Tensor direction = Tensor::zerosLike(arguments[number]);
  for (double &element : direction.reals)
    element = normal(generator);
  FailureOr<double> values[2];
  for (int side : {0, 1}) {
    Tensors moved(arguments);
    for (auto [element, change] : llvm::zip(moved[number].reals, direction.reals))
      element += (side ? step : -step) * change;
    values[side] = objective(interpreter, function, moved, cotangents);
    if (failed(values[side]))
      return failure();
  }
  double difference = (*values[1] - *values[0]) / (2 * step);
  return DirectionalDerivative{innerProduct(gradient, direction), difference,
                               std::sqrt(innerProduct(gradient, gradient))};
}
