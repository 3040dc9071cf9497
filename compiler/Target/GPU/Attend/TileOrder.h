//===- TileOrder.h - The order of attention's tiles ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the order in which tiles run. Thread blocks run tiles in the order of their numbers, some hundred at a time.
// Heads come in *sections*. The streamed matrices of a section (K and V, or Q and dO) fit the second-level cache
// together. All tiles of a section come before those of the next one, so memory is read once for a section instead of
// once for a tile. Within a section, the longest tiles of all heads come first, so that short ones fill the gaps at the
// end:
//
//   section 0: block 0 of each head, block 1 of each head, ..      section 1: block 0 of each head, ..
//
// FlashAttention-3 does the same (hopper/tile_scheduler.hpp), with sections of 32 MB.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_TILEORDER_H
#define XF_COMPILER_TARGET_GPU_ATTEND_TILEORDER_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

/// Returns x / y, rounded down, for x and y less than 2^32.
Value divideShort(KernelBuilder &kb, Value x, Value y);

/// Splits a number into coordinates, the fastest-varying one first. The number and the counts must be less than 2^32,
/// so that divisions take a fifth of the instructions of 64-bit divisions.
struct Coordinates {
  KernelBuilder &kb;
  Value rest; ///< the number that is left for further coordinates

  /// Returns the coordinate of the next dimension, which has `count` elements.
  Value next(Value count);
};

/// The sizes of a grid of tiles. A tile is a block of rows or keys, of one residue of one head.
struct TileGrid {
  Value heads;        ///< heads of all batch entries
  int64_t residues;   ///< residues of a head
  Value blocks;       ///< blocks of a residue
  Value sectionHeads; ///< heads in a section
};

/// The coordinates of a tile in a TileGrid. Blocks are counted in the order in which they run.
struct TilePlace {
  Value head, residue, block;
};

TilePlace placeOf(KernelBuilder &kb, const TileGrid &grid, Value tile);

/// Returns the number of heads in a section. `sharing` adjacent heads stream the same matrices. These have `rows` rows
/// of `rowBytes` bytes.
Value sectionHeads(KernelBuilder &kb, Value rows, int64_t rowBytes, Value sharing);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_TILEORDER_H
