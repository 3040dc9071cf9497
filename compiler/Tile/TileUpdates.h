//===- TileUpdates.h - Updates that are one kernel --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_TILEUPDATES_H
#define XF_COMPILER_TILE_TILEUPDATES_H

#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Returns the maps, the given one first, that replace arguments side by side and are to be one kernel, such as those
/// of an optimiser's new parameter and state: maps of one static shape, each of which reads a tensor of that shape that
/// an earlier one reads or computes. Since every element is read before the same element is written, they may replace
/// what they read.
SmallVector<MapOp> updatesTogether(MapOp first);

/// Tiles maps that are one kernel: one launch, which reads what they read and computes all results.
LogicalResult tileTogether(ArrayRef<MapOp> maps, HostBuilder &host);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_TILEUPDATES_H
