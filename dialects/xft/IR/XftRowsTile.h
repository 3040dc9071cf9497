//===- XftRowsTile.h - How threads of a GPU share rows -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tiling of rows and their expansion for GPUs agree on.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTROWSTILE_H
#define XF_DIALECTS_XFT_IR_XFTROWSTILE_H

#include <cstdint>

namespace mlir::xft {

/// Warps of a block that runs a tile.
constexpr int64_t rowWarps = 8;

/// A tile of at least so many rows as a block has warps gives each warp rows of its own, of up to this many columns. A
/// tile of fewer rows does so for fewer columns. All warps share longer rows.
constexpr int64_t longestWarpRow = 1024, longestLoneRow = 256;

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTROWSTILE_H
