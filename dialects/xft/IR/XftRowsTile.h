//===- XftRowsTile.h - How GPU threads share rows ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants that the tiling of rows and their expansion for GPUs share.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTROWSTILE_H
#define XF_DIALECTS_XFT_IR_XFTROWSTILE_H

#include <cstdint>

namespace mlir::xft {

/// The number of warps of a thread block. A thread block runs one tile.
constexpr int64_t rowWarps = 8;

/// The largest number of columns of a row on which one warp works alone. All warps of a thread block share a longer
/// row. `longestWarpRow` applies to tiles with at least one row for each warp of the thread block, and `longestLoneRow`
/// to tiles with fewer rows.
constexpr int64_t longestWarpRow = 1024, longestLoneRow = 256;

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTROWSTILE_H
