//===- QueryBlocks.h - Blocks of queries of attention on CPUs ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_TILING_QUERYBLOCKS_H
#define XF_COMPILER_TARGET_CPU_TILING_QUERYBLOCKS_H

#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf::cpu {

/// Returns `tile` with blocks of fewer keys if the keys and values of a block would take more than `mostBytes`. Keys
/// and values have elements of type `operand`. A key has `depth` elements, and a value `valueDepth`. Returns `tile`
/// itself if a depth is dynamic. The number of keys stays a power of two, so that rings of panels hold whole blocks.
/// The bits of results depend on the number of keys.
xft::AttendTileAttr withKeyBlock(xft::AttendTileAttr tile, int64_t depth, int64_t valueDepth, Type operand,
                                 int64_t mostBytes);

/// Returns `tile` with the number of queries in a block that suits `shape`. Results do not depend on it, bit for bit.
/// `operand` is the element type of packed keys and values.
xft::AttendTileAttr withQueryBlock(xft::AttendTileAttr tile, const AttentionShape &shape, Type operand,
                                   const CpuMachine &machine);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_TILING_QUERYBLOCKS_H
