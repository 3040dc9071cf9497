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

/// The predicate of #xf.tiles, a union of conjunctions over (i, j)[Nq, Nk, p.., d..]. It is evaluated for a box of
/// pairs by interval arithmetic, which often decides, or pair by pair.
class TilePredicate {
public:
  TilePredicate() = default;
  /// `sizes` are B, H, Nq and Nk; `data` has two operands per datum. Builds code at the kernel's head.
  TilePredicate(KernelBuilder &kb, TilesAttr tiles, ValueRange data, ValueRange sizes);

  explicit operator bool() const { return block != nullptr; }

  /// Loads the symbols of a task, whose batch entry and head are set.
  void startTask(AttendTask &task);

  /// Whether no pair, or every pair, of positions x keys (ends included) belongs to the pattern. Either i1 may be false
  /// although it holds.
  struct Decision {
    Value isEmpty, isFull;
  };
  using Interval = IntegerRange;
  Decision decide(AttendTask &task, Interval positions, Interval keys) const;

  using VersionBody = function_ref<SmallVector<Value>(int64_t indexLimit)>;
  /// Builds `body` for small indices and for any, and the choice between them at run time.
  SmallVector<Value> forEachVersion(KernelBuilder &kb, TypeRange types, VersionBody body) const;
  /// Returns the lanes (a register of i1) of the keys from `key` on that the query at `position` sees.
  Value evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit) const;

private:
  TilesAttr tiles;
  std::shared_ptr<Block> block; ///< (i, j, Nq, Nk, p.., d..) -> i1
  Value isSmall;
  unsigned numSymbols = 2;    ///< Nq, Nk, p..
  SmallVector<Value> symbols; ///< of the task
  SmallVector<DatumCode, 0> data;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H
