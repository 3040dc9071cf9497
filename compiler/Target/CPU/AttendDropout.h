//===- AttendDropout.h - Which probabilities attention keeps --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDDROPOUT_H
#define XF_COMPILER_TARGET_CPU_ATTENDDROPOUT_H

#include "compiler/Target/CPU/ScoreRegion.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The dropout clause of xf.attention: a function of the seed, b, h, the row and the key, so that a gradient that asks
/// again gets the same answer.
class AttendDropout {
public:
  AttendDropout() = default;
  /// `seed` is a memref of two i64; to be built at the kernel's head.
  AttendDropout(KernelBuilder &kb, Value seed, double rate, KeyOrder order);

  explicit operator bool() const { return first != nullptr; }
  KeyOrder getKeyOrder() const { return order; }
  /// What the probabilities that stay are multiplied by.
  double getFactor() const { return 1 / (1 - rate); }

  /// Fills `kept` [tileRows][blockKeys], all bits or none of an integer as wide as `real`, for the group at `row` and
  /// columns [begin, end) of a key block. `keys` holds the keys of the block (unless order is Consecutive).
  void build(AttendTask &task, const KeyMap &map, Value row, Value keyBlock, Value begin, Value end, Value keys,
             Value kept) const;

private:
  Value keeps(KernelBuilder &kb, Value words) const;

  double rate = 0;
  Value first, second; ///< low words of the seed, i32
  KeyOrder order = KeyOrder::Consecutive;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDDROPOUT_H
