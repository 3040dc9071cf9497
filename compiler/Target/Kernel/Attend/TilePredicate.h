//===- TilePredicate.h - Predicates on tiles and pairs -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H

#include "compiler/Target/Kernel/Attend/DatumCode.h"

namespace mlir::xf::kernel {

/// The predicate of #xf.tiles: a union of conjunctions of affine constraints on (i, j), the positions of a query and a
/// key. Constraints may use Nq, Nk, run-time symbols and data. Interval arithmetic evaluates the predicate for a box of
/// pairs, but cannot always decide. The predicate is then evaluated pair by pair.
class TilePredicate {
public:
  TilePredicate() = default;
  /// Builds code that all evaluations share, so it must be called at the head of the kernel. `sizes` are B, H, Nq and
  /// Nk. `data` has two operands per datum.
  TilePredicate(KernelBuilder &kb, TilesAttr tiles, ValueRange data, ValueRange sizes);

  explicit operator bool() const { return block != nullptr; }

  /// Loads the symbols of the task and the addresses of its data. The task's b and h must be set.
  void startTask(AttendTask &task);

  /// What interval arithmetic shows about a box of pairs, positions x keys (ends included). `isEmpty` says that no pair
  /// belongs to the pattern, and `isFull` that every pair does. An i1 may be false although its statement holds.
  struct Decision {
    Value isEmpty, isFull;
  };
  using Interval = IntegerRange;
  Decision decide(AttendTask &task, Interval positions, Interval keys) const;

  using VersionBody = function_ref<SmallVector<Value>(int64_t indexLimit)>;
  /// Calls `body` with narrowIndexLimit and with anyIndexLimit, and builds the choice between these two versions at run
  /// time. Returns the results of the chosen version, which have the types `types`. Builds only the version with
  /// anyIndexLimit if a version for small indices is not faster.
  SmallVector<Value> forEachVersion(KernelBuilder &kb, TypeRange types, VersionBody body) const;
  /// Evaluates the predicate pair by pair. Returns the lanes (i1) of the keys `key`, `key` + 1, .. that the query at
  /// `position` sees. All indices must be at most `indexLimit`.
  Value evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit) const;

private:
  TilesAttr tiles;
  std::shared_ptr<Block> block; ///< (i, j, Nq, Nk, run-time symbols.., data..) -> i1
  Value isSmall;
  unsigned numSymbols = 2;    ///< number of symbols without data: Nq, Nk, run-time symbols
  SmallVector<Value> symbols; ///< values of the symbols for the task
  SmallVector<DatumCode, 0> data;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H
