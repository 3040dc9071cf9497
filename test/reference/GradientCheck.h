//===- GradientCheck.h - Adjoints against finite differences ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_GRADIENTCHECK_H
#define XF_TEST_REFERENCE_GRADIENTCHECK_H

#include "test/reference/Interpreter.h"

namespace mlir::xf::reference {

/// The derivative along one random direction, by the adjoint and by central differences.
struct DirectionalDerivative {
  double adjoint, difference;
  double size; ///< |gradient|, about what the derivative along a random direction is

  double relativeError() const;
};

/// Of <cotangents, results> along a direction of unit normals from `seed` in argument `number` alone; step 1e-5.
FailureOr<DirectionalDerivative> differentiateAlong(const Interpreter &interpreter, func::FuncOp function,
                                                    ArrayRef<Tensor> arguments, ArrayRef<Tensor> cotangents,
                                                    const Tensor &gradient, size_t number, uint64_t seed);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_GRADIENTCHECK_H
