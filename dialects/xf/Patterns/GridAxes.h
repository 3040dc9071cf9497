//===- GridAxes.h - Grids of tokens in row-major order ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_GRIDAXES_H
#define XF_DIALECTS_XF_PATTERNS_GRIDAXES_H

#include "dialects/xf/Patterns/ParameterChecks.h"
#include "dialects/xf/Patterns/SetBuilder.h"

namespace mlir::xf {

/// A union of conjunctions of affine expressions that are >= 0: alternatives along one axis of a grid.
using Cases = SmallVector<SmallVector<AffineExpr, 4>, 3>;

/// Verifies that there is at least one axis, that every extent is positive, and that the number of tokens is not too
/// large.
LogicalResult verifyExtents(EmitError emitError, ArrayRef<int64_t> extents);

/// Verifies that there is one value per axis, each at least `minimum`.
LogicalResult verifyPerAxis(EmitError emitError, StringRef name, ArrayRef<int64_t> values, size_t axes,
                            int64_t minimum);

/// Returns the axis-th coordinate of token n. The outermost coordinate needs no wrapping: tokens lie in the grid.
AffineExpr coordinate(AffineExpr n, ArrayRef<int64_t> extents, unsigned axis);

/// Adds the product of the axes' cases as conjunctions, with all `zeros` equal to 0 in each of them.
void addCases(SetBuilder &set, ArrayRef<Cases> axes, ArrayRef<AffineExpr> zeros, Conjunctions &out,
              SmallVectorImpl<AffineExpr> &chosen);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_GRIDAXES_H
