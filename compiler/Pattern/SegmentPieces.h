//===- SegmentPieces.h - What segments are cut from -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves sets of pairs within segments (packed documents). Which tokens have the same segment is known only in a call.
// The rest of the set, without the conditions on segments, is known to the compiler and is solved like any other set.
// In the example, p0 and p1 are the segments of the query and of the key:
//
//   with segments:     (i, j)[Nq, Nk, p0, p1] : (p0 - p1 == 0, i - j ge 0, p0 ge 0)
//   without segments:  (i, j)[Nq, Nk] : (i - j ge 0)
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SEGMENTPIECES_H
#define XF_COMPILER_PATTERN_SEGMENTPIECES_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Returns a solution that reads no segments. Among the pairs of tokens with equal, non-negative segments, it has
/// exactly the pairs of `tiles`. Returns null if some pairs of `tiles` need not have equal segments, or if `tiles` read
/// other data.
SolutionAttr solveAroundSegments(TilesAttr tiles);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SEGMENTPIECES_H
