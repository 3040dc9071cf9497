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

/// Returns whether `shift` is finite and its magnitude is more than 8192 (i1). `shift` is a row's maximum or lse, in
/// units of log2; its sign does not matter. Warpgroups compute P as 2^(score * scale + shift), and round the exponent
/// to f32 once. If a shift is larger, this rounding may cause a relative error of more than 4e-4 in P.
Value isLarge(KernelBuilder &kb, Value shift);
/// Records for the recheck kernel whether this warp's results of tile `tile` are non-finite. Stores `condition` (i1,
/// the same in all lanes) to element tile * warps + warp of the memref `flags`. `warps` warps compute a tile.
void markNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps, Value condition);
/// Returns whether one of the `warps` warps of tile `tile` flagged the tile in an earlier launch (i1, the same in all
/// threads).
Value isNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_NONFINITETILES_H
