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

/// Returns the maps that one kernel computes together with `first`, beginning with `first`. These are, for example, the
/// updates of a parameter and of its optimiser state. All of them replace arguments and have one static shape. Each
/// reads a tensor of this shape that an earlier map of the list reads or computes. The kernel reads every element
/// before it writes that element, so the maps may replace what they read.
SmallVector<MapOp> updatesTogether(MapOp first);

/// Tiles `maps` into one launch, which reads the operands of all maps and computes all their results.
LogicalResult tileTogether(ArrayRef<MapOp> maps, HostBuilder &host);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_TILEUPDATES_H
