//===- AttendDropout.h - Which probabilities attention keeps -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"

namespace mlir::xf::kernel {

/// The dropout clause of xf.attention: a function of the seed, b, h, the row and the key, so that a gradient that asks
/// again gets the same answer. Four consecutive keys share a block of random words.
class AttendDropout {
public:
  AttendDropout() = default;
  /// `seed` is a memref of two i64; to be built at the kernel's head.
  AttendDropout(KernelBuilder &kb, Value seed, double rate);

  explicit operator bool() const { return first != nullptr; }
  /// What the probabilities that stay are multiplied by.
  double getFactor() const { return 1 / (1 - rate); }

  /// The lanes of a register of keys, i64, whose probabilities stay in row `row` (i64) of q at the task's b and h: i1.
  Value keeps(AttendTask &task, Value row, Value keys) const;

protected:
  /// The words of a register of blocks (i32): word n of a lane is that of key 4 block + n.
  std::array<Value, 4> draw(AttendTask &task, Value row, Value blocks) const;
  /// Lanes whose word keeps.
  Value isKept(KernelBuilder &kb, Value words) const;

private:
  double rate = 0;
  Value first, second; ///< low words of the seed, i32
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDDROPOUT_H
