//===- ShardableOpInterface.h - What may be sharded -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_SHARDING_SHARDABLEOPINTERFACE_H
#define XF_DIALECTS_XF_SHARDING_SHARDABLEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::xf {

class SymbolicSizes;

/// A letter for each dimension of the operands and results of an op, as in "bik,kj->bij": a number, or one of two
/// marks.
struct ShardingLetters {
  /// Ranks need all of the dimension.
  static constexpr int whole = -1;
  /// Ranks take what they have: nothing depends on the dimension.
  static constexpr int any = -2;

  /// A dimension that counts, in row-major order, the elements of several dimensions: its parts are those of all of
  /// them.
  struct Merge {
    unsigned dim;
    SmallVector<int> letters;
    SmallVector<int64_t> sizes;
  };

  /// A dimension of the only operand of which `size` elements are taken: first, first + stride, ..
  struct Taken {
    unsigned dim;
    int64_t first, stride, size;
  };

  SmallVector<SmallVector<int>> operands, results;
  std::optional<Merge> merge; ///< of the only result: a dimension that counts several of the operand
  std::optional<Merge> split; ///< of the only operand: a dimension that counts several of the result
  SmallVector<Taken> taken;   ///< dimensions that need not be whole where one part has all that is taken

  const SymbolicSizes *sizes = nullptr; ///< of the function's values, given to models
};

} // namespace mlir::xf

#include "dialects/xf/Interfaces/XfShardableOpInterface.h.inc"

#endif // XF_DIALECTS_XF_SHARDING_SHARDABLEOPINTERFACE_H
