//===- NonFiniteTiles.h - Tiles to be computed again ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_NONFINITETILES_H
#define XF_COMPILER_TARGET_GPU_ATTEND_NONFINITETILES_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

/// Returns whether `shift`, a row's maximum or lse as an exponent of 2, is finite but so large that rounding it to f32
/// would change P by more than 4e-4: warpgroups compute exponents as score scale + shift, rounded once.
Value isLarge(KernelBuilder &kb, Value shift);
/// Flags a tile for the recheck kernel, or not: stores `condition` (i1, the same in all lanes), whether this warp's
/// results are non-finite, as the warp's element of the memref `flags`. `warps` warps compute a tile.
void markNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps, Value condition);
/// Returns whether one of the `warps` warps flagged the tile in an earlier launch; the same in all threads.
Value isNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_NONFINITETILES_H
