//===- DrawLists.h - Random patterns as lists of keys -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_DRAWLISTS_H
#define XF_COMPILER_PATTERN_SET_DRAWLISTS_H

#include "compiler/Pattern/Set/Import.h"

namespace mlir::xf::pattern {

/// The sorted lists of keys that rows draw, one list after the other: all rows of head 0, of head 1, ..
struct DrawnLists {
  DenseIntElementsAttr offsets, columns;
};

/// Draws the keys of `random` for `rows` of a problem with the sizes and heads of `call`, which may be a problem of
/// blocks. Fails with one error where the pattern that draws avoid is not known at compile time, or there is too much
/// to draw.
FailureOr<DrawnLists> drawLists(RandomPatternAttr random, KeyRange rows, const StaticCall &call, ErrorFn emitError);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_DRAWLISTS_H
