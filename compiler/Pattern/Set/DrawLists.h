//===- DrawLists.h - Random patterns as lists of keys -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_DRAWLISTS_H
#define XF_COMPILER_PATTERN_SET_DRAWLISTS_H

#include "compiler/Pattern/Set/PatternImporter.h"

namespace mlir::xf::pattern {

/// The keys that rows draw, as one sorted list for each row of head 0, then of head 1 and so on. The lists are
/// concatenated in `columns`: list n is at the indices [offsets[n], offsets[n + 1]).
struct DrawnLists {
  DenseIntElementsAttr offsets, columns;
};

/// Draws the keys of `random` for the positions `rows` of every head. `call` has the numbers of heads, queries and
/// keys, where queries and keys are tokens or blocks. Emits one error and fails if the excluded pattern (`outside`) is
/// not known at compile time, if there are too many keys to draw, or if too many rows draw outside a pattern.
FailureOr<DrawnLists> drawLists(RandomPatternAttr random, KeyRange rows, const StaticCall &call, ErrorFn emitError);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_DRAWLISTS_H
