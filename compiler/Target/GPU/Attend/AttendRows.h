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

/// The keys of a piece that rows see, as intervals of ranks, and the map from ranks to keys.
struct SeenKeys {
  Value lower[2], upper[2];     ///< visible ranks of the lane's two rows
  Value begin, end;             ///< ranks visible to some row of the block
  Value warpBegin, warpEnd;     ///< ranks visible to some row of the warp
  Value commonBegin, commonEnd; ///< ranks visible to all rows of the warp
  Value start, period, width;   ///< key = start + period (rank div width) + rank mod width

  SmallVector<Value> flat() const;
  static SeenKeys of(ValueRange values);
};

/// The block of keys from rank `first` on. Keys of ranks [begin, end) exist; the rows of other ranks are copied as
/// zeros.
struct KeyBlock {
  function_ref<Value(Value rank)> keyAt;
  Value first, begin, end;
  bool isOnce = false; ///< as GlobalRows::isOnce
  int64_t step = 0;    ///< distance between the keys of consecutive ranks, or 0 if it is not known
};

/// The static sizes of heads: D of q and k, Dv of v and o.
struct HeadSizes {
  int64_t depth, valueDepth;

  /// Return D and Dv in shared memory: rounded up to multiples of WarpProduct::unit.
  int64_t columns() const { return llvm::alignTo(depth, WarpProduct::unit); }
  int64_t valueColumns() const { return llvm::alignTo(valueDepth, WarpProduct::unit); }
};

/// Heads of K and V (grouped-query attention).
struct KeyHeads {
  Value key, value;
};

/// The rules of the op for its pairs: which of them count, and with what weight.
struct PairRules {
  ScoreRegion region; ///< the score region or, in a gradient, the derivative region
  TilePredicate predicate;
  AttendDropout dropout;
};

/// A block of query rows. AttendRows::findRows sets `map`, `first` and `count`, findLaneRows sets `lane` and `exists`.
struct QueryRows {
  ResidueMap map;
  Value first, count; ///< rank of the first row; number of rows, 0 or negative if there is no such block
  Value lane[2];      ///< indices in q of the lane's two rows, clamped to the last row
  Value exists[2];    ///< whether these rows exist (i1)
  Value ofWarp;       ///< the warp's first row in the block, if several warps share rows; else null
};

/// The keys of a block that a warp computes: `count` keys from key `first` of the block on. These are all keys of the
/// block, unless several warps share rows.
struct WarpKeys {
  Value first;
  int64_t count;
};

struct AttendRows : AttendTask {
  /// Describes the rows of a task for a kernel with `threads` threads per block and the op's `tile`.
  AttendRows(func::FuncOp kernel, const AttendTask &task, xft::AttendTileAttr tile, int64_t threads);

  ThreadBlock block;
  WarpProduct product;
  xft::AttendTileAttr tile;
  PairRules pairs;
  QueryRows rows;

  /// Sets `pairs` from the operands of `op`, whose score or derivative region is `region`. Builds the values that all
  /// their evaluations share at the insertion point, not at the head of the kernel.
  template <typename OpTy>
  void readPairs(OpTy op, Region &region) {
    Value sizes[] = {q.sizes[0], q.sizes[1], nq, nk};
    if (op.getTiles())
      pairs.predicate = TilePredicate(kb, *op.getTiles(), op.getData(), sizes);
    if (!region.empty())
      pairs.region = ScoreRegion(kb, region, op.getCaptures(), sizes);
    if (op.getDropout())
      pairs.dropout = AttendDropout(kb, op.getSeed(), *op.getDropout());
  }

  //===--- the block of rows ---===//
  /// Returns the first of the 16 rows of the block of rows that the warp computes.
  Value warpRow() { return rows.ofWarp ? rows.ofWarp : kb.mul(block.warp, WarpProduct::tileRows); }
  /// Selects block `number` (i64) among the rows of residue `r` in the order of `map`.
  void findRows(IndexMapAttr map, Value number);
  /// Finds the lane's two rows of the selected block.
  void findLaneRows();
  /// Returns the index in q of row `n` of the row block. If `n` is too large, returns the index of the block's last
  /// row.
  Value rowOf(Value n);
  Value positionOf(Value row) { return kb.add(row, kb.sub(nk, nq)); }

  /// Clamps a rank to nk - 1, for code that reads the key at a rank even beyond the last one.
  Value limitRank(Value rank) { return kb.min(rank, kb.add(nk, -1)); }

  /// Allocates a matrix of `rows` rows and `columns` columns in shared memory. Its elements have type
  /// `product.element`.
  SharedMatrix share(int64_t rows, int64_t columns);
  /// Returns the number of bytes of a matrix with these rows and columns in shared memory, with the padding of
  /// WarpProduct::pitch.
  int64_t matrixBytes(int64_t rows, int64_t columns);
  /// Returns the matrix of `columns` columns at byte offset `place` of the stage of `stages` that begins at byte
  /// `stage`.
  SharedMatrix inStage(const Stages &stages, Value stage, int64_t place, int64_t columns);
  /// Allocates shared memory for a tile of sums, 16 rows by `columns` columns, for each of `warps` warps. Returns this
  /// warp's tile, whose elements a lane indexes at run time.
  SharedMatrix shareTiles(int64_t warps, int64_t columns);
  /// Copies the rows of the row block from `view`, `depth` columns each, to shared memory. `isOnce`
  /// (GlobalRows::isOnce) is true for resident rows.
  void copyQueries(const View &view, const SharedMatrix &to, int64_t depth, bool isOnce);
  /// Copies rows of head `head` of `view`, `depth` columns each, to shared memory. The rows are those of the keys in
  /// `keys`.
  void copyKeys(const View &view, Value head, const KeyBlock &keys, const SharedMatrix &to, int64_t depth);

  /// Returns 2^x. This is one instruction for f32 if the machine has it.
  Value exp2(Value x);
  /// Returns the larger of x and y. If one of them is NaN, returns the other one.
  Value larger(Value x, Value y) { return LLVM::MaxNumOp::create(kb.b, kb.loc, x, y); }
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
  /// Returns whether p is the probability of a masked pair: -0, compared bit by bit (i1).
  Value isMasked(Value p);
};

/// Returns a pointer to row `row` of `view` at the task's batch entry and head.
Value atRow(AttendRows &k, const View &view, Value row);

/// An interval [begin, end) of ranks, the hull of the keys that several rows see.
struct SeenRange {
  Value begin, end;
};
/// Returns the hull of the ranks of keys of `piece` that rows of the row block see. If they see no key, the hull begins
/// after its end. Each warp computes the hull from all rows of the block, so no barrier is needed.
SeenRange buildSeenRange(AttendRows &k, PieceAttr piece);
/// Returns the ranks of the keys of `piece` that are seen by the rows of the row block, of the warp, and of the lane.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece);
/// Returns the same ranks. `ofBlock` is the hull of the row block's rows, and is taken as the hull of the warp's rows,
/// too.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece, const SeenRange &ofBlock);
/// Returns the first rank of the key block that contains the first visible key.
Value firstKeyBlock(AttendRows &k, const SeenKeys &seen);
/// Finds the next block of keys, from rank `from` on, that some row of the block of rows may see. Returns the rank of
/// its first key, which is `seen.end` or more if there is no such block. Also returns whether this warp's rows may see
/// the keys `ofWarp` of the block (i1). Contains barriers.
FoundBlock findKeyBlock(AttendRows &k, const WarpKeys &ofWarp, const SeenKeys &seen, Value from);

/// The visible columns [begin, end) of a tile for each of the lane's two rows, relative to the lane's first column
/// (i32).
struct LaneColumns {
  Value begin[2], end[2];

  /// Returns whether element n of the lane's tile is visible (i1).
  Value has(KernelBuilder &kb, size_t n) const;
};
/// Returns the columns that the lane's rows see in the tile over the keys of ranks [keyBlock, keyBlock + count).
LaneColumns visibleColumns(AttendRows &k, const SeenKeys &seen, Value keyBlock, int64_t count);

/// An element of a lane's tile whose index is known only at run time.
struct TileElement {
  Value row, column; ///< position in the tile
  Value isUpper;     ///< whether the element lies in the first of the lane's two rows
};
/// Returns the tile with each element replaced by body(element, value). The code of `body` is emitted once: a loop at
/// run time visits the elements in `memory`, a tile in shared memory. Needs no barrier, because a lane reads only what
/// it wrote.
TileSums forElements(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile,
                     function_ref<Value(const TileElement &, Value)> body);
/// Writes the lane's elements of a tile to shared memory.
void storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile);
/// Reads the lane's elements of a tile, `size` values, from shared memory.
TileSums loadTile(AttendRows &k, const SharedMatrix &memory, size_t size);

/// The matrix product of the first `terms` columns of a tile in registers and rows of b, a matrix in shared memory.
struct TileProduct {
  ArrayRef<Value> tile;
  const SharedMatrix &b;
  int64_t terms;
};
/// Returns sums + tile b.
SmallVector<Value> addTile(AttendRows &k, ArrayRef<Value> sums, const TileProduct &factors);
/// Returns sums + tile b as addTile does, but leaves out each non-finite element of b where the element of the tile is
/// masked (`isMasked`). Rows whose other terms are finite get the same bits as from addTile. The tile goes through
/// `memory`, the warp's tile in shared memory.
SmallVector<Value> addCarefully(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> sums,
                                const TileProduct &factors, function_ref<Value(Value)> isMasked);
/// Returns whether some value is infinite or NaN (i1).
Value isInfinite(KernelBuilder &kb, ArrayRef<Value> values);

/// Returns the element of a vector of one element. Returns a scalar as it is.
Value scalarOf(KernelBuilder &kb, Value x);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDROWS_H
