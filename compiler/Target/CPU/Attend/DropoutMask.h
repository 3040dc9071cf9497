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

/// The dropout mask in a kernel whose registers hold consecutive key ranks of a block.
class DropoutMask : public AttendDropout {
public:
  DropoutMask() = default;
  /// `seed` is a memref of two i64. Builds code at the kernel's head.
  DropoutMask(KernelBuilder &kb, Value seed, double rate, KeyOrder order)
      : AttendDropout(kb, seed, rate), order(order) {}

  KeyOrder getKeyOrder() const { return order; }

  /// Stores the dropout mask of the group at `row` and columns [begin, end) of a key block to `kept`
  /// [tileRows][blockKeys]: all bits of an integer as wide as `real` where the pair is kept, else none. `keys` holds
  /// the keys of the block (unless order is Consecutive).
  void build(AttendBlock &task, const KeyMap &map, Value row, Value keyBlock, Value begin, Value end, Value keys,
             Value kept) const;

private:
  KeyOrder order = KeyOrder::Consecutive;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_DROPOUTMASK_H
