//===- AttendRows.h - Query rows and visible keys ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels of attention and of its gradient share, where warps own 16 rows of queries each.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDROWS_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDROWS_H

#include "compiler/Target/Kernel/Attend/AttendDropout.h"
#include "compiler/Target/Kernel/Attend/ScoreRegion.h"
#include "compiler/Target/Kernel/Attend/TilePredicate.h"
#include "compiler/Target/NVGPU/Operands/CopyTile.h"
#include "compiler/Target/NVGPU/Operands/SharedMemoryPipeline.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// The ranks of a piece's keys that rows see, and the keys that they are.
struct SeenKeys {
  Value lower[2], upper[2];     ///< of the lane's two rows
  Value begin, end;             ///< some row of the block
  Value warpBegin, warpEnd;     ///< some row of the warp
  Value commonBegin, commonEnd; ///< all rows of the warp
  Value start, period, width;   ///< key = start + period (rank div width) + rank mod width

  SmallVector<Value> flat() const;
  static SeenKeys of(ValueRange values);
};

struct AttendRows : AttendTask {
  /// `q` is the memref of queries; `tile` and the regions are those of the op.
  AttendRows(func::FuncOp kernel, KernelBuilder &kb, Value q, xft::AttendTileAttr tile, int64_t threads);

  ThreadBlock block;
  WarpProduct product;
  Stages stages; ///< of what passes
  int64_t blockRows, blockKeys;
  SharedMatrix scores; ///< of the warp: a tile, whose elements a lane reads by their numbers

  ScoreRegion score;
  TilePredicate predicate;
  AttendDropout dropout;

  //===--- the block of rows ---===//
  ResidueMap queries;
  Value firstRank, rowCount;
  Value row[2]; ///< of q: the lane's two rows; beyond the last one it again
  Value rowExists[2];

  /// Defines the block of rows: the `number`-th of those that `map` walks at residue r.
  void findRows(IndexMapAttr map, Value number);
  /// Defines the rows of the lane.
  void findLaneRows();
  /// The row of q that is the block's n-th, or its last one.
  Value rowOf(Value n);
  Value positionOf(Value row) { return kb.add(row, kb.sub(nk, nq)); }

  /// A key that exists, for code that asks about it whether or not.
  Value limitRank(Value rank) { return kb.min(rank, kb.add(nk, -1)); }

  /// A matrix of `product.element` in shared memory; its size; and one at a place of a stage.
  SharedMatrix share(int64_t rows, int64_t columns);
  int64_t matrixBytes(int64_t rows, int64_t columns);
  SharedMatrix inStage(Value stage, int64_t place, int64_t columns);
  /// Tiles of every warp, of `columns` columns; the warp's own.
  SharedMatrix shareTiles(int64_t warps, int64_t columns);
  /// Copies the rows [0, blockRows) of the block; `isOnce` for those that stay (CopyTile.h).
  void copyQueries(const View &view, const SharedMatrix &to, int64_t depth, bool isOnce);
  /// Copies `count` rows of `view` from rank `first` on, of those in [begin, end); others are zeros.
  void copyKeys(const View &view, Value head, function_ref<Value(Value rank)> keyAt, Value first, Value begin,
                Value end, int64_t count, const SharedMatrix &to, int64_t depth, bool isOnce);

  /// 2^x.
  Value exp2(Value x);
  /// The larger of two; the other one where one is NaN.
  Value larger(Value x, Value y) { return LLVM::MaxNumOp::create(kb.b, kb.loc, x, y); }
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
  /// Whether P is that of a masked pair, -0.
  Value isMasked(Value p);
};

/// The values of `view` at row `row` of the task's b and h.
Value atRow(AttendRows &k, const View &view, Value row);

/// Ranks that some row sees.
struct SeenRange {
  Value begin, end;
};
/// The ranks of the keys of `piece` that some row of the block sees, found by the lanes of each warp alike.
SeenRange buildSeenRange(AttendRows &k, PieceAttr piece);
/// Which ranks of the keys of `piece` the rows of the block see.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece);
/// The first rank of the block that holds the first key that some row sees.
Value firstKeyBlock(AttendRows &k, const SeenKeys &seen);
/// The first block of keys from rank `from` on of which some rows of the block may see one, or one behind the last key:
/// its first rank, and whether rows of the warp do (i1).
FoundBlock findKeyBlock(AttendRows &k, const SeenKeys &seen, Value from);

/// The columns [begin, end) of a tile that each of the lane's two rows sees, counted from the lane's first one (i32).
struct LaneColumns {
  Value begin[2], end[2];

  /// Whether element n of the lane's tile is one of them.
  Value has(KernelBuilder &kb, size_t n) const;
};
/// Of the tile of the keys of ranks [keyBlock, keyBlock + blockKeys).
LaneColumns visibleColumns(AttendRows &k, const SeenKeys &seen, Value keyBlock);

/// An element of a lane's tile, by its number at run time.
struct TileElement {
  Value row, column; ///< in the tile
  Value isUpper;     ///< whether it lies in the first of the lane's two rows
};
/// Sends a tile of `columns` columns through `memory`: body(element, value) gives the new one. So the code of body
/// exists once; a lane reads what it wrote itself.
TileSums forElements(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile,
                     function_ref<Value(const TileElement &, Value)> body);
/// Writes a tile to memory, and reads it.
void storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile);
TileSums loadTile(AttendRows &k, const SharedMatrix &memory, size_t size);
/// sums += tile b, over the first `terms` rows of b.
SmallVector<Value> addTile(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                           int64_t terms);
/// The same, but terms are left out of whose element of the tile `isMasked` says so, whatever b holds. Rows whose other
/// terms are finite get the same bits.
SmallVector<Value> addCarefully(AttendRows &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                                int64_t terms, function_ref<Value(Value)> isMasked);
/// Whether some value is infinite or NaN.
Value isInfinite(KernelBuilder &kb, ArrayRef<Value> values);

/// A register of one element, or a scalar, as a scalar.
Value scalarOf(KernelBuilder &kb, Value x);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDROWS_H
