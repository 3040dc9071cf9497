//===- TilePredicate.h - Patterns that are decided tile by tile -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_TILEPREDICATE_H

#include "compiler/Target/Kernel/Attend/DatumCode.h"

namespace mlir::xf::kernel {

/// The pairs of #xf.tiles, a union of conjunctions over (i, j)[Nq, Nk, p.., d..]: asked for a box of pairs, where
/// interval arithmetic often decides, or pair by pair.
class TilePredicate {
public:
  TilePredicate() = default;
  /// To be built at the kernel's head; `sizes` are B, H, Nq and Nk, `data` two operands for each datum.
  TilePredicate(KernelBuilder &kb, TilesAttr tiles, ValueRange data, ValueRange sizes);

  explicit operator bool() const { return block != nullptr; }

  /// Loads the symbols of a task, whose batch and head are known.
  void startTask(AttendTask &task);

  /// Whether no pair, and whether every pair, of positions x keys belongs to the pattern; the ends are included. Either
  /// may be false where it holds.
  struct Decision {
    Value isEmpty, isFull;
  };
  using Interval = IntegerRange;
  Decision decide(AttendTask &task, Interval positions, Interval keys) const;

  using VersionBody = function_ref<SmallVector<Value>(int64_t indexLimit)>;
  /// Builds `body` for small indices and for any, and the choice between them.
  SmallVector<Value> forEachVersion(KernelBuilder &kb, TypeRange types, VersionBody body) const;
  /// The lanes of the register of keys from `key` on that the query at `position` sees: a register of i1.
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
