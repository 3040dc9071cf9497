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

/// The keys that rows draw, one list behind the other: of head 0, head 1, ..
struct DrawnLists {
  DenseIntElementsAttr offsets, columns;
};

/// What `random` draws in `rows` of a problem of the sizes and heads of `call` (which may be one of blocks). Fails with
/// one error where what it avoids is not static, or there is too much to draw.
FailureOr<DrawnLists> drawLists(RandomPatternAttr random, KeyRange rows, const StaticCall &call, ErrorFn emitError);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_DRAWLISTS_H
