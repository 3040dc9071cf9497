//===- AttentionWarpgroups.h - Tiles of attention ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Target/NVGPU/Operands/ListedBlocks.h"
#include "compiler/Target/NVGPU/Tiling/WarpgroupTile.h"
#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf::nvgpu {

/// The number of rows of a warp. Each warp has a flag that says whether its results are non-finite.
constexpr int64_t rowsOfWarp = 16;

/// Returns whether the piece bounds keys from below. If not, rows that see a key see all keys before it.
bool hasLowerBound(PieceAttr piece);
/// Returns whether some row of the piece does not see all its keys.
bool hasBound(PieceAttr piece);

/// Whether an attention has code for single pairs, besides the bounds of its pieces.
struct PairWork {
  bool hasRegion = false, hasPredicate = false, hasDropout = false;

  static PairWork of(xft::AttendOp op);
  static PairWork of(AttentionOp op, bool hasPredicate);
  bool exists() const { return hasRegion || hasPredicate || hasDropout; }
};

/// Returns the number of bytes of shared memory that attention of `pieces` pieces takes with `tile`.
int64_t warpgroupBytes(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces, PairWork work);
/// Returns whether a tile's rows of o have their own shared memory. They have if it fits besides everything else. If
/// not, they reuse the memory of the rows of q.
bool hasOwnOutput(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces, PairWork work);
/// The number of bytes of a mask of pairs for each row of a tile. A mask has a bit for each of at most 128 keys.
constexpr int64_t pairMaskBytes = 16;
/// Returns the number of bytes of the record of a task, which consumers read: its place in the grid, and the range of
/// ranks for each piece.
constexpr int64_t taskBytes(int64_t pieces) { return 16 + (8 * pieces + 15) / 16 * 16; }
/// Returns the number of registers that a thread needs for its sums, scores and P.
int64_t warpgroupRegisters(const WarpgroupTile &tile, int64_t valueDepth);

/// Returns the form of attention by warpgroups (xft.attend, and the sides of its gradient), in blocks of queries and
/// keys. A second kernel recomputes tiles with non-finite results.
std::shared_ptr<const AttentionForm> warpgroupsForm(const NvgpuMachine &machine);

/// Returns the largest tile by which warpgroups compute a query order of an attention, or nullopt if they cannot
/// compute it. They can if weights are a softmax, the scale is positive or part of a score region, there are more than
/// 64 rows of queries, and the rows of operands start at multiples of 16 bytes. The matrices of the tile must fit the
/// shared memory of a thread block. Its sums, scores and P must fit the registers of a thread. TMA must be able to copy
/// the keys of all pieces. Key blocks may be larger if no piece has bounds and single pairs need no work.
std::optional<WarpgroupTile> warpgroupTileOf(const AttentionSite &site, const NvgpuMachine &machine);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_ATTENTIONWARPGROUPS_H
