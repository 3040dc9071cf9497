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

/// Tiles an attention or its gradient, with queries `q` and keys `k`, by `tile`. Divides the operations that this
/// counts with the host program among the launches of kernels that walk pairs, by their pairs: sets their attribute
/// xft.flop. Leaves the launches as they are if the pairs of one of several are unknown. Fails if `tile` does.
LogicalResult tileWithFlop(HostBuilder &host, RankedTensorType q, RankedTensorType k,
                           function_ref<LogicalResult()> tile);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_LAUNCHWORK_H
