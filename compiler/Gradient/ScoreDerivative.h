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

/// Fills the empty region `derivative` from `score`, a region that maps a score s to s'. It gets the same arguments and
/// yields
///
///   s', ds'/ds, and for each read of a floating-point capture: the indices of the element, ds'/d(element).
///
/// `reads` receives, for each of these reads, the index of the capture that it reads. Derivatives have the type of s.
/// Kernels multiply them by dS', but take 0 if dS' is 0, even if the derivative is Inf or NaN, so that a masked pair
/// contributes nothing. Fails, after an error at its location, on an op without a derivative.
LogicalResult buildScoreDerivative(Region &score, Region &derivative, SmallVectorImpl<int64_t> &reads);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_SCOREDERIVATIVE_H
