//===- DropoutMask.h - The dropout mask of a block ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_DROPOUTMASK_H
#define XF_COMPILER_TARGET_CPU_ATTEND_DROPOUTMASK_H

#include "compiler/Target/CPU/Attend/BlockScores.h"
#include "compiler/Target/Kernel/Attend/AttendDropout.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The dropout of a kernel that computes the scores of a block of keys. The dropout mask is computed for a register of
/// pairs at a time, whose lanes are keys of consecutive ranks.
class DropoutMask : public AttendDropout {
public:
  DropoutMask() = default;
  /// Loads `seed`, a memref of two i64, so it must be called at the head of the kernel.
  DropoutMask(KernelBuilder &kb, Value seed, double rate, KeyOrder order)
      : AttendDropout(kb, seed, rate), order(order) {}

  KeyOrder getKeyOrder() const { return order; }

  /// Stores the dropout mask of the group of rows that begins at `row` and columns [begin, end) of a key block to
  /// `kept` [tile.rows][tile.keys]. The mask has integers as wide as `real`: -1 for a kept pair and 0 for a dropped
  /// one. `keys` points to the positions of the block's keys (i64). `keys` is not read if the keys are consecutive.
  void build(AttendBlock &task, const KeyMap &map, Value row, Value keyBlock, Value begin, Value end, Value keys,
             Value kept) const;

private:
  KeyOrder order = KeyOrder::Consecutive;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_DROPOUTMASK_H
