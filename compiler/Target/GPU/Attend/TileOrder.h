//===- TileOrder.h - The order of attention's tiles ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of threads run tiles in the order of their numbers, some hundred at a time. Heads come in *sections*, whose
// streamed matrices (K and V, or Q and dO) fit the second-level cache together: all tiles of a section come before
// those of the next, so that memory is read once for a section, not once for a tile. Within a section, the longest
// tiles of all its heads come first, so that short ones fill the gaps at the end:
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

/// Returns x / y, rounded down, for x and y below 2^32.
Value divideShort(KernelBuilder &kb, Value x, Value y);

/// Splits a number into coordinates, the fastest-varying one first. The number and the counts must be below 2^32: then
/// divisions take a fifth of the instructions of 64-bit ones.
struct Coordinates {
  KernelBuilder &kb;
  Value rest; ///< what is left of the number

  /// Returns the coordinate of a dimension of `count` elements.
  Value next(Value count);
};

/// The sizes of a grid of tiles: blocks of rows or keys, for each residue of each head.
struct TileGrid {
  Value heads;        ///< heads of all batch entries
  int64_t residues;   ///< residues of a head
  Value blocks;       ///< blocks of a residue
  Value sectionHeads; ///< heads in a section
};

/// A tile of a TileGrid. Blocks are counted in the order in which they run.
struct TilePlace {
  Value head, residue, block;
};

TilePlace placeOf(KernelBuilder &kb, const TileGrid &grid, Value tile);

/// Returns the number of heads in a section. `sharing` adjacent heads stream the same matrices, which have `rows` rows
/// of `rowBytes` bytes.
Value sectionHeads(KernelBuilder &kb, Value rows, int64_t rowBytes, Value sharing);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_TILEORDER_H
