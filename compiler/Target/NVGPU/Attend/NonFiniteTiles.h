//===- NonFiniteTiles.h - Tiles to be computed again ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_NONFINITETILES_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_NONFINITETILES_H

#include "compiler/Target/NVGPU/Attend/AttendRows.h"

namespace mlir::xf::nvgpu {

/// Whether a row's maximum, or its lse, as an exponent of 2 is finite but so large that one f32 would move P by more
/// than 4e-4: exponents of warpgroups are score scale + shift, rounded once.
Value isLarge(KernelBuilder &kb, Value shift);
/// Of a tile that `warps` warps compute: leaves whether this one's results are to be computed again, `condition` (i1,
/// in all lanes of the warp), in the memref `suspects`.
void markNonFinite(AttendRows &k, Value suspects, Value tile, int64_t warps, Value condition);
/// Whether one of them has, in a launch before; found by each thread alike.
Value isNonFinite(AttendRows &k, Value suspects, Value tile, int64_t warps);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_NONFINITETILES_H
