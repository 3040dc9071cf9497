//===- LaneValue.h - One scalar in all lanes of a register ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score regions and predicates of pairs (i, j) are scalar code that a kernel evaluates for one query and a register of
// keys. Most of their integers are equal in all lanes or grow by a constant from lane to lane: those stay scalars.
// Where 64-bit integers must be a register, it is one of 32-bit integers if their range allows that.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::xf::kernel {

/// Either `lanes`, a register, or lane n is first + n step. Indices are i64, 16-bit floats f32.
struct LaneValue {
  Value first;
  int64_t step = 0;                                      ///< only of indices and i64
  Value lanes;                                           ///< 64-bit integers whose range is that of i32 are held as i32
  std::optional<ConstantIntRanges> range = std::nullopt; ///< of an integer

  bool isUniform() const { return !lanes && step == 0; }
  bool isLinear() const { return !lanes; }

  /// Known about the 64-bit integers of a value.
  bool fitsI32() const;
  bool isNonNegative() const { return range && range->smin().isNonNegative(); }

  static LaneValue uniform(Value value);
  /// Indices first + n step, or those of a register, which lie in [low, high].
  static LaneValue index(Value first, int64_t step, int64_t low, int64_t high);
  static LaneValue indices(Value lanes, int64_t low, int64_t high);
};

/// The limit below which code on indices is worth generating twice, for indices within it and for any: within it, lanes
/// are 32-bit integers.
inline constexpr int64_t narrowIndexLimit = int64_t(1) << 24;
inline constexpr int64_t anyIndexLimit = std::numeric_limits<int64_t>::max();

/// The value as a register; 64-bit integers of the given width.
Value asRegister(KernelBuilder &kb, const LaneValue &value, int64_t lanes, unsigned indexWidth = 64);

/// (0, 1, 2, ..) times step, as `width`-bit integers.
Value stepVector(KernelBuilder &kb, int64_t step, int64_t lanes, unsigned width);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_LANEVALUE_H
