//===- Comparison.h - How far a result is from what it should be -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SWEEP_COMPARISON_H
#define XF_TEST_SWEEP_COMPARISON_H

#include "test/reference/Tensor.h"

namespace mlir::xf::sweep {

/// The bound on a row's relative error where the coarsest type computed with is `type` (docs/specification.md, section
/// 10), in a function with kernelised attention or without.
double toleranceOf(Type type, bool isDerivative, bool hasKernels);

/// The norm of a typical row; 0 where there is none.
double typicalRow(const reference::Tensor &tensor);

/// The largest error of a row: |actual - expected| over |expected| or, where that is smaller, over the norm of a
/// typical row of the tensor, because a sum may cancel, or `floor`; over 1 where all is 0. Infinite where shapes,
/// integers or non-finite elements differ.
double largestRowError(const reference::Tensor &actual, const reference::Tensor &expected, double floor);

} // namespace mlir::xf::sweep

#endif // XF_TEST_SWEEP_COMPARISON_H
