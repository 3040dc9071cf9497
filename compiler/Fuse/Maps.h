//===- Maps.h - What the patterns ask about xf.map --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_FUSE_MAPS_H
#define XF_COMPILER_FUSE_MAPS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// True if a map over these inputs has the shape of `type`, dynamic sizes included.
bool determineShape(ValueRange inputs, RankedTensorType type);

/// The inputs of a map that have as many elements as its result.
SmallVector<Value> fullSizeInputs(MapOp map);

/// A region of a few additions, products, comparisons and selections: cheaper to run twice than to store.
bool isCheap(MapOp map);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_MAPS_H
