//===- LaunchWork.h - The work of the launches of an attention --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_LAUNCHWORK_H
#define XF_COMPILER_TILE_ATTEND_LAUNCHWORK_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Tiles an attention or its gradient by calling `tile`. Then divides the operations that `tile` counted among the
/// launches whose kernels walk pairs, in proportion to the numbers of pairs. Sets the attribute xft.flop of these
/// launches. Sets none if one of several launches has an unknown number of pairs. `q` and `k` are the types of queries
/// and keys. Fails if `tile` fails.
LogicalResult tileWithFlop(HostBuilder &host, RankedTensorType q, RankedTensorType k,
                           function_ref<LogicalResult()> tile);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_LAUNCHWORK_H
