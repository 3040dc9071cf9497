//===- LaneValue.h - One scalar in all lanes of a register ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of scalar code in all lanes of a register. Score regions and predicates of pairs (i, j) are scalar code,
// which a kernel evaluates for one query and a register of keys. Most of their integers are equal in all lanes or grow
// by a constant from lane to lane. Such an integer stays a scalar. Any other 64-bit integer is a register. Its lanes
// have 32 bits if the range of the integer allows it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::xf::kernel {

/// The value of one scalar of a region in all lanes of a register. `lanes` is the register. If `lanes` is null, lane n
/// has the value first + n step. Indices are held as i64, and 16-bit floats as f32.
struct LaneValue {
  Value first;
  int64_t step = 0;                                      ///< 0 unless the scalar is an index or i64
  Value lanes;                                           ///< null if linear; 64-bit integers within i32 are held as i32
  std::optional<ConstantIntRanges> range = std::nullopt; ///< of integers

  bool isUniform() const { return !lanes && step == 0; }
  bool isLinear() const { return !lanes; }

  /// Returns whether the range of the 64-bit integers is known, and i32 can hold all of it.
  bool fitsI32() const;
  bool isNonNegative() const { return range && range->smin().isNonNegative(); }

  static LaneValue uniform(Value value);
  /// Returns the value whose lane n is the index first + n step. All indices must lie in [low, high].
  static LaneValue index(Value first, int64_t step, int64_t low, int64_t high);
  /// Returns the value whose lanes are the indices in the register `lanes`. All indices must lie in [low, high].
  static LaneValue indices(Value lanes, int64_t low, int64_t high);
};

/// Code for pairs has a version for small indices and a version for any index. This is the largest index of the first
/// version, in which registers hold indices as 32-bit integers.
inline constexpr int64_t narrowIndexLimit = int64_t(1) << 24;
/// The largest index of the version for any index.
inline constexpr int64_t anyIndexLimit = std::numeric_limits<int64_t>::max();

/// Returns `value` as a register of `lanes` lanes. Indices and i64 become integers of `indexWidth` bits.
Value asRegister(KernelBuilder &kb, const LaneValue &value, int64_t lanes, unsigned indexWidth = 64);

/// Returns the register (0, step, 2 step, ..) of `lanes` integers of `width` bits.
Value stepVector(KernelBuilder &kb, int64_t step, int64_t lanes, unsigned width);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
