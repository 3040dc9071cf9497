//===- LaneValue.h - One scalar in all lanes of a register ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score regions and predicates of pairs (i, j) are scalar code that a kernel evaluates for one query and a register of
// keys. Most of their integers are equal in all lanes or grow by a constant from lane to lane: those stay scalars.
// Other 64-bit integers are a register, of 32-bit integers if their range allows it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::xf::kernel {

/// One scalar in all lanes: `lanes`, a register, or first + n step in lane n. Indices are i64, 16-bit floats f32.
struct LaneValue {
  Value first;
  int64_t step = 0;                                      ///< only of indices and i64
  Value lanes;                                           ///< 64-bit integers within the range of i32 are held as i32
  std::optional<ConstantIntRanges> range = std::nullopt; ///< of an integer

  bool isUniform() const { return !lanes && step == 0; }
  bool isLinear() const { return !lanes; }

  /// Returns whether the range of the 64-bit integers is known to fit i32.
  bool fitsI32() const;
  bool isNonNegative() const { return range && range->smin().isNonNegative(); }

  static LaneValue uniform(Value value);
  /// Return indices first + n step, or a register of indices, which lie in [low, high].
  static LaneValue index(Value first, int64_t step, int64_t low, int64_t high);
  static LaneValue indices(Value lanes, int64_t low, int64_t high);
};

/// The limit of small indices: code on indices is generated for indices within it, with lanes of 32-bit integers, and
/// for any.
inline constexpr int64_t narrowIndexLimit = int64_t(1) << 24;
inline constexpr int64_t anyIndexLimit = std::numeric_limits<int64_t>::max();

/// Returns the value as a register, with 64-bit integers in the given width.
Value asRegister(KernelBuilder &kb, const LaneValue &value, int64_t lanes, unsigned indexWidth = 64);

/// Returns (0, 1, 2, ..) times step, as `width`-bit integers.
Value stepVector(KernelBuilder &kb, int64_t step, int64_t lanes, unsigned width);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
