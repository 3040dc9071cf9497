//===- AttendDropout.h - The dropout mask of attention -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"

namespace mlir::xf::kernel {

/// Computes the dropout mask of xf.attention. The mask is a function of the seed, b, h, the row and the key, so a
/// gradient computes the same mask. Four consecutive keys share one draw of random words.
class AttendDropout {
public:
  AttendDropout() = default;
  /// Loads `seed`, a memref of two i64, so it must be called at the head of the kernel.
  AttendDropout(KernelBuilder &kb, Value seed, double rate);

  explicit operator bool() const { return first != nullptr; }
  /// Returns the factor of the probabilities of kept pairs, or of their sums: 1 / (1 - rate), or 0 if no pair is kept.
  double getFactor() const { return rate < 1 ? 1 / (1 - rate) : 0; }

  /// Returns the lanes (i1) whose pairs are kept, at the task's b and h. The pairs consist of row `row` of q (i64) and
  /// the keys in the register `keys` (i64).
  Value keeps(AttendTask &task, Value row, Value keys) const;

  /// Draws four random words (Philox) for each lane of `blocks`, a register of i32 indices. Index n stands for the four
  /// keys from 4 n on, and word i belongs to key 4 n + i.
  std::array<Value, 4> draw(AttendTask &task, Value row, Value blocks) const;
  /// Returns the lanes (i1) of `words` whose random word keeps the pair.
  Value isKept(KernelBuilder &kb, Value words) const;

private:
  double rate = 0;
  Value first, second; ///< low words of the seed, i32
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H
