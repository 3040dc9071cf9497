//===- AttendRows.h - Query rows and visible keys ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the kernels of attention and of its gradient share. Each warp owns 16 rows of queries.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_ATTENDROWS_H
#define XF_COMPILER_TARGET_GPU_ATTEND_ATTENDROWS_H

#include "compiler/Target/GPU/Operands/CopyTile.h"
#include "compiler/Target/GPU/Operands/SharedMemoryPipeline.h"
#include "compiler/Target/Kernel/Attend/AttendDropout.h"
#include "compiler/Target/Kernel/Attend/ScoreRegion.h"
#include "compiler/Target/Kernel/Attend/TilePredicate.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::gpu {

/// The visible range of a piece's keys, as ranks, and the map from ranks to keys.
struct SeenKeys {
  Value lower[2], upper[2];     ///< visible ranks of the lane's two rows
  Value begin, end;             ///< ranks visible to some row of the block
  Value warpBegin, warpEnd;     ///< ranks visible to some row of the warp
  Value commonBegin, commonEnd; ///< ranks visible to all rows of the warp
  Value start, period, width;   ///< key = start + period (rank div width) + rank mod width

  SmallVector<Value> flat() const;
  static SeenKeys of(ValueRange values);
};

struct AttendRows : AttendTask {
  /// `q` is the memref of queries; `tile` is the tile of the op.
  AttendRows(func::FuncOp kernel, KernelBuilder &kb, Value q, xft::AttendTileAttr tile, int64_t threads);

  ThreadBlock block;
  WarpProduct product;
  Stages stages; ///< of the streamed operands
  int64_t blockRows, blockKeys;
  SharedMatrix scores; ///< a tile of the warp in shared memory, whose elements a lane indexes at run time

  ScoreRegion score;
  TilePredicate predicate;
  AttendDropout dropout;

  //===--- the block of rows ---===//
  ResidueMap queries;
  Value firstRank, rowCount;
  Value row[2]; ///< rows of q of the lane, clamped to the last row
  Value rowExists[2];

  /// Selects the `number`-th block of rows that `map` walks at residue r.
  void findRows(IndexMapAttr map, Value number);
  /// Computes the rows of the lane in that block.
  void findLaneRows();
  /// Returns the n-th row of the block as a row of q, clamped to the block's last row.
  Value rowOf(Value n);
  Value positionOf(Value row) { return kb.add(row, kb.sub(nk, nq)); }

  /// Clamps a rank to the last key, for code that reads the key even if it does not exist.
  Value limitRank(Value rank) { return kb.min(rank, kb.add(nk, -1)); }

  /// Allocates a matrix of element type `product.element` in shared memory.
  SharedMatrix share(int64_t rows, int64_t columns);
  /// Returns the bytes of such a matrix.
  int64_t matrixBytes(int64_t rows, int64_t columns);
  /// Returns such a matrix at byte offset `place` of a stage.
  SharedMatrix inStage(Value stage, int64_t place, int64_t columns);
  /// Allocates a tile of `columns` columns for each of `warps` warps; returns this warp's.
  SharedMatrix shareTiles(int64_t warps, int64_t columns);
  /// Copies all rows of the block to shared memory; `isOnce` for resident rows (CopyTile.h).
  void copyQueries(const View &view, const SharedMatrix &to, int64_t depth, bool isOnce);
  /// Copies `count` rows of `view` from rank `first` on; ranks outside [begin, end) become zeros.
  void copyKeys(const View &view, Value head, function_ref<Value(Value rank)> keyAt, Value first, Value begin,
                Value end, int64_t count, const SharedMatrix &to, int64_t depth, bool isOnce);

  /// Returns 2^x; for f32 by one instruction where the machine has it.
  Value exp2(Value x);
  /// Returns the larger one of x and y; if one is NaN, the other one.
  Value larger(Value x, Value y) { return LLVM::MaxNumOp::create(kb.b, kb.loc, x, y); }
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
  /// Returns whether p is the probability of a masked pair: -0, compared bit by bit.
  Value isMasked(Value p);
};

/// Returns a pointer to row `row` of `view` at the task's b and h.
Value atRow(AttendRows &k, const View &view, Value row);

/// A range of ranks that some row sees.
struct SeenRange {
  Value begin, end;
};
/// Returns the ranks of the keys of `piece` that some row of the block sees. Each warp computes it from all rows,
/// without a barrier.
SeenRange buildSeenRange(AttendRows &k, PieceAttr piece);
/// Returns the ranks of the keys of `piece` that the rows of the block, the warp and the lane see.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece);
/// Returns the first rank of the block of keys that contains the first visible key.
Value firstKeyBlock(AttendRows &k, const SeenKeys &seen);
/// Returns the first block of keys, from rank `from` on, that may have a pair visible to the block of rows, or a block
/// behind the last visible key: its first rank, and whether this warp's rows may see a key of it (i1). Contains
/// barriers.
FoundBlock findKeyBlock(AttendRows &k, const SeenKeys &seen, Value from);

/// The visible columns [begin, end) of a tile for each of the lane's two rows, relative to the lane's first column
/// (i32).
struct LaneColumns {
  Value begin[2], end[2];

  /// Returns whether element n of the lane's tile is visible.
  Value has(KernelBuilder &kb, size_t n) const;
};
/// Returns the visible columns of the tile of keys [keyBlock, keyBlock + blockKeys), in ranks.
LaneColumns visibleColumns(AttendRows &k, const SeenKeys &seen, Value keyBlock);

/// An element of a lane's tile, indexed at run time.
struct TileElement {
  Value row, column; ///< position in the tile
  Value isUpper;     ///< whether it lies in the first one of the lane's two rows
};
/// Replaces each element of a tile by body(element, value), in a loop over `memory`, a tile in shared memory: so the
/// code of `body` exists once. Needs no barrier, because a lane reads only what it wrote.
TileSums forElements(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile,
                     function_ref<Value(const TileElement &, Value)> body);
/// Write the lane's elements of a tile to shared memory, and read them back.
void storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile);
TileSums loadTile(AttendRows &k, const SharedMatrix &memory, size_t size);
/// Returns sums + tile b, over the first `terms` rows of b.
SmallVector<Value> addTile(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                           int64_t terms);
/// Returns the same, but skips the terms whose element of the tile is masked according to `isMasked`, whatever b
/// contains: even NaN. Rows whose other terms are finite get the same bits as from addTile.
SmallVector<Value> addCarefully(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                                int64_t terms, function_ref<Value(Value)> isMasked);
/// Returns whether some value is infinite or NaN (i1).
Value isInfinite(KernelBuilder &kb, ArrayRef<Value> values);

/// Converts a vector of one element, or a scalar, to a scalar.
Value scalarOf(KernelBuilder &kb, Value x);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDROWS_H
