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

/// A union of conjunctions: the alternatives along one axis of a grid. Each expression in a conjunction is >= 0.
using Cases = SmallVector<SmallVector<AffineExpr, 4>, 3>;

/// Verifies that there is at least one axis, that every extent is positive, and that there are at most maxParameter
/// tokens.
LogicalResult verifyExtents(EmitError emitError, ArrayRef<int64_t> extents);

/// Verifies that `values` has one value for each axis, and that each is at least `minimum`.
LogicalResult verifyPerAxis(EmitError emitError, StringRef name, ArrayRef<int64_t> values, size_t axes,
                            int64_t minimum);

/// Returns the coordinate of token n along `axis` of a grid. The outermost coordinate needs no modulo, because all
/// tokens lie in the grid.
AffineExpr coordinate(AffineExpr n, ArrayRef<int64_t> extents, unsigned axis);

/// Adds the intersection of the unions `axes`, one for each axis, to `out`. The intersection has a conjunction for each
/// choice of one conjunction per axis. Each also requires that all `zeros` are 0. The function recurses over the axes:
/// `chosen` holds the constraints of the conjunctions chosen for earlier axes.
void addCases(SetBuilder &set, ArrayRef<Cases> axes, ArrayRef<AffineExpr> zeros, Conjunctions &out,
              SmallVectorImpl<AffineExpr> &chosen);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_GRIDAXES_H
