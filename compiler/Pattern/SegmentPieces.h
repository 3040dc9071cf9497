//===- SegmentPieces.h - What segments are cut from -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of tokens of one segment (packed documents) depend on numbers that a call brings. What a program knows of them
// is the set without this condition, which is solved as any other:
//
//   (i, j)[Nq, Nk, p0, p1] : (p0 - p1 == 0, i - j ge 0, p0 ge 0)      within      (i, j)[Nq, Nk] : (i - j ge 0)
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SEGMENTPIECES_H
#define XF_COMPILER_PATTERN_SEGMENTPIECES_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Returns a solution that has the pairs of `tiles` among the pairs of equal, non-negative segments, and that reads no
/// segments. Returns null if some pairs of `tiles` need not have equal segments, or if `tiles` read other data.
SolutionAttr solveAroundSegments(TilesAttr tiles);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SEGMENTPIECES_H
