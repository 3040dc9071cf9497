//===- Maps.h - Shapes and costs of xf.map ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_FUSE_MAPS_H
#define XF_COMPILER_FUSE_MAPS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Returns whether broadcasting `inputs` is known to give the shape of `type`, dynamic sizes included.
bool determineShape(ValueRange inputs, RankedTensorType type);

/// Returns the inputs of a map that have the shape of its result.
SmallVector<Value> fullSizeInputs(MapOp map);

/// Returns whether a map is cheaper to recompute than to store: its region has at most four additions, products,
/// comparisons, selections or conversions, and no other ops except constants.
bool isCheap(MapOp map);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_MAPS_H
