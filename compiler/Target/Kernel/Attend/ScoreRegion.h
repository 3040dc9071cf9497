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

/// Evaluates a score region, (s, b, h, i, j, captures..) -> (s', ..), in a kernel. A default-constructed object stands
/// for an op without a score region.
class ScoreRegion {
public:
  ScoreRegion() = default;
  /// Builds code that all evaluations share, so it must be called at the head of the kernel. `captures` are the tensors
  /// that the region reads, and `sizes` are B, H, Nq and Nk.
  ScoreRegion(KernelBuilder &kb, Region &region, ValueRange captures, ValueRange sizes);

  explicit operator bool() const { return body; }

  using VersionBody = function_ref<SmallVector<Value>(int64_t indexLimit)>;
  /// Calls `body` with narrowIndexLimit and with anyIndexLimit, and builds the choice between these two versions at run
  /// time. Returns the results of the chosen version, which have the types `types`. If hasSmallVersion() is false,
  /// builds only the version with anyIndexLimit.
  SmallVector<Value> forEachLimit(KernelBuilder &kb, TypeRange types, VersionBody body) const;
  /// Returns whether forEachLimit builds a version for small indices besides the version for any index.
  bool hasSmallVersion() const { return isSmall != nullptr; }

  /// Evaluates the region for the query at `position` and a register of keys. `score` are the scores of their pairs.
  /// Returns the results of the region. All indices must be at most `indexLimit`.
  SmallVector<LaneValue> evaluate(AttendTask &task, Value position, const LaneValue &key, Value score,
                                  int64_t indexLimit) const;

private:
  Block *body = nullptr;
  SmallVector<CapturedTensor, 0> captures;
  Value isSmall; ///< null if one version serves all indices
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_SCOREREGION_H
