//===- ScoreRegion.h - Score regions in attention kernels ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_SCOREREGION_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_SCOREREGION_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Attend/LaneRegion.h"

namespace mlir::xf::kernel {

/// A score region, (s, b, h, i, j, captures..) -> (s', ..), in a kernel. A kernel without one has an empty region.
class ScoreRegion {
public:
  ScoreRegion() = default;
  /// `sizes` are B, H, Nq and Nk. Builds code at the kernel's head.
  ScoreRegion(KernelBuilder &kb, Region &region, ValueRange captures, ValueRange sizes);

  explicit operator bool() const { return body; }

  using VersionBody = function_ref<SmallVector<Value>(int64_t indexLimit)>;
  /// Builds `body` for small indices and for any, and the choice between them at run time.
  SmallVector<Value> forEachLimit(KernelBuilder &kb, TypeRange types, VersionBody body) const;
  /// Returns whether there is a version for small indices; else `body` is built once, for any.
  bool hasSmallVersion() const { return isSmall != nullptr; }

  /// Returns the results of the region for the query at `position` and a register of keys; `score` is a register.
  SmallVector<LaneValue> evaluate(AttendTask &task, Value position, const LaneValue &key, Value score,
                                  int64_t indexLimit) const;

private:
  Block *body = nullptr;
  SmallVector<CapturedTensor, 0> captures;
  Value isSmall; ///< null if one version serves all indices
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_SCOREREGION_H
