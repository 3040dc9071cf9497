//===- IdRanges.h - Value ranges of integer arguments -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_IDRANGES_H
#define XF_COMPILER_TILE_HOST_IDRANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// The range of values that the elements of an integer argument may have. The ops that use the argument as ids limit
/// the range.
struct IdRange {
  int64_t lowest = INT64_MIN, highest = INT64_MAX;
  bool isOrdered = false;        ///< the values ascend
  bool isPlace = false;          ///< the value is a position that is written
  std::optional<int64_t> mark;   ///< the only negative value; ids with it are ignored
  SmallVector<int64_t, 3> limit; ///< the first dynamic upper limit: argument, dimension, offset

  /// Narrows the range to [`least`, size of dimension `dim` of `table` + `offset`].
  void within(Value table, int64_t dim, int64_t offset, int64_t least);
  /// Also narrows the range by the uses of `view`, which has the same elements in another shape.
  void follow(Value view) { views.push_back(view); }

  SmallVector<Value> views; ///< views whose uses are still to be added
};

/// Annotates integer arguments that are used as ids with their range of values (xf.range).
void inferIdRanges(func::FuncOp function);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_IDRANGES_H
