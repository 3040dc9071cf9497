//===- ScoreDerivative.h - A score region with its derivative - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_SCOREDERIVATIVE_H
#define XF_COMPILER_GRADIENT_SCOREDERIVATIVE_H

#include "mlir/IR/Region.h"

namespace mlir::xf {

/// Fills the empty region `derivative` from `score`, a region that maps a score s to s'. The new region has the
/// arguments of `score` and yields
///
///   s', ds'/ds, and for each read of a floating-point capture: the indices of the element, ds'/d(element).
///
/// `reads` receives, for each of these reads, the index of the capture. Derivatives have the type of s. Kernels
/// multiply derivatives by dS', the gradient of s'. If dS' is 0, the product is 0 even if a derivative is Inf or NaN,
/// so that a masked pair contributes nothing. If an op has no derivative, fails after an error at the location of the
/// op.
LogicalResult buildScoreDerivative(Region &score, Region &derivative, SmallVectorImpl<int64_t> &reads);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_SCOREDERIVATIVE_H
