//===- AttendRows.h - Query rows and visible keys ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares code that the kernels of attention and of its gradient share: the rows of a task, the keys that the rows
// see, and tiles with 16 rows that a warp holds in registers.
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

/// The ranks of the keys of one piece that rows of a task see, as intervals [begin, end). Also has the map from ranks
/// to keys.
struct SeenKeys {
  Value lower[2], upper[2];     ///< visible ranks of the lane's two rows
  Value begin, end;             ///< ranks visible to some row of the row block
  Value warpBegin, warpEnd;     ///< ranks visible to some row of the warp
  Value commonBegin, commonEnd; ///< ranks visible to all rows of the warp
  Value start, period, width;   ///< key = start + period (rank div width) + rank mod width

  SmallVector<Value> flat() const;
  static SeenKeys of(ValueRange values);
};

/// A block of keys to copy, from rank `first` on. Only the keys of ranks [begin, end) are read. The rows of other ranks
/// become zeros in shared memory.
struct KeyBlock {
  function_ref<Value(Value rank)> keyAt;
  Value first, begin, end;
  bool isOnce = false; ///< as GlobalRows::isOnce
  int64_t step = 0;    ///< distance between the keys of consecutive ranks, or 0 if it is not known
};

/// The static sizes of heads: D of q and k, Dv of v and o.
struct HeadSizes {
  int64_t depth, valueDepth;

  /// Return D and Dv, rounded up to multiples of WarpProduct::unit. These are the columns of matrices in shared memory.
  int64_t columns() const { return llvm::alignTo(depth, WarpProduct::unit); }
  int64_t valueColumns() const { return llvm::alignTo(valueDepth, WarpProduct::unit); }
};

/// The heads of K and V that a task reads. Several heads of q may share them (grouped-query attention).
struct KeyHeads {
  Value key, value;
};

/// What the op says about single pairs: how their scores change, whether they count, and dropout.
struct PairRules {
  ScoreRegion region; ///< the score region or, in a gradient, the derivative region
  TilePredicate predicate;
  AttendDropout dropout;
};

/// A block of rows of q. AttendRows::findRows sets `map`, `first` and `count`. AttendRows::findLaneRows sets `lane` and
/// `exists`.
struct QueryRows {
  ResidueMap map;
  Value first, count; ///< rank of the first row; number of rows, 0 or negative if there is no such block
  Value lane[2];      ///< indices in q of the lane's two rows, clamped to the last row
  Value exists[2];    ///< whether these rows exist (i1)
  Value ofWarp;       ///< the warp's first row in the block, if several warps share rows; else null
};

/// The keys of a key block that a warp computes: `count` keys, from key `first` of the block on. A warp computes all
/// keys of the block, unless other warps have the same rows.
struct WarpKeys {
  Value first;
  int64_t count;
};

struct AttendRows : AttendTask {
  /// Describes the rows of `task`, for a kernel with `threads` threads per thread block. `tile` is the tile of the op.
  AttendRows(func::FuncOp kernel, const AttendTask &task, xft::AttendTileAttr tile, int64_t threads);

  ThreadBlock block;
  WarpProduct product;
  xft::AttendTileAttr tile;
  PairRules pairs;
  QueryRows rows;

  /// Sets `pairs` from the operands of `op`, whose score or derivative region is `region`. Code that all pairs share is
  /// built once. It goes to the insertion point, not to the head of the kernel.
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
  /// Returns the index, in the block of rows, of the first of the 16 rows that the warp computes.
  Value warpRow() { return rows.ofWarp ? rows.ofWarp : kb.mul(block.warp, WarpProduct::tileRows); }
  /// Sets `rows` to block `number` (i64) of the rows of residue `r`. `map` is the index map of the rows.
  void findRows(IndexMapAttr map, Value number);
  /// Sets the lane's two rows of the block that findRows has set.
  void findLaneRows();
  /// Returns the index in q of row `n` of the row block. If `n` is too large, returns the index of the block's last
  /// row.
  Value rowOf(Value n);
  Value positionOf(Value row) { return kb.add(row, kb.sub(nk, nq)); }

  /// Returns the smaller of `rank` and nk - 1, where nk is the number of keys. So code may look up the key of a rank
  /// behind the last one.
  Value limitRank(Value rank) { return kb.min(rank, kb.add(nk, -1)); }

  /// Allocates a matrix of `rows` rows and `columns` columns in shared memory. Its elements have type
  /// `product.element`.
  SharedMatrix share(int64_t rows, int64_t columns);
  /// Returns the number of bytes that a matrix with these rows and columns takes in shared memory. Includes the padding
  /// of rows (WarpProduct::pitch).
  int64_t matrixBytes(int64_t rows, int64_t columns);
  /// Returns a matrix of `columns` columns in a stage of `stages`. The stage begins at byte `stage`, and the matrix at
  /// byte `place` of the stage.
  SharedMatrix inStage(const Stages &stages, Value stage, int64_t place, int64_t columns);
  /// Allocates shared memory for a tile of sums, 16 rows by `columns` columns, for each of `warps` warps. Returns this
  /// warp's tile, whose elements a lane indexes at run time.
  SharedMatrix shareTiles(int64_t warps, int64_t columns);
  /// Copies the rows of the row block from `view` to shared memory (`to`). A row has `depth` columns. `isOnce` is the
  /// same as in GlobalRows. It is true for resident rows.
  void copyQueries(const View &view, const SharedMatrix &to, int64_t depth, bool isOnce);
  /// Copies the rows of `keys` from head `head` of `view` to shared memory (`to`). A row has `depth` columns.
  void copyKeys(const View &view, Value head, const KeyBlock &keys, const SharedMatrix &to, int64_t depth);

  /// Returns 2^x. This is one instruction for f32 if the machine has it.
  Value exp2(Value x);
  /// Returns the larger of x and y. If one of them is NaN, returns the other one.
  Value larger(Value x, Value y) { return LLVM::MaxNumOp::create(kb.b, kb.loc, x, y); }
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
  /// Returns whether p has exactly the bits of -0 (i1). They stand for the probability of a masked pair.
  Value isMasked(Value p);
};

/// Returns a pointer to row `row` of `view` at the task's batch entry and head.
Value atRow(AttendRows &k, const View &view, Value row);

/// The smallest interval [begin, end) of ranks that contains all keys that some of several rows see.
struct SeenRange {
  Value begin, end;
};
/// Returns the smallest interval of ranks that contains all keys of `piece` that rows of the row block see. If they see
/// no key, the interval begins after its end. Every warp evaluates all rows of the row block, so no barrier is needed.
SeenRange buildSeenRange(AttendRows &k, PieceAttr piece);
/// Returns the ranks of the keys of `piece` that are visible to rows of the row block, of the warp, and of the lane.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece);
/// Returns the ranks of the keys of `piece` that are visible to rows of the row block, of the warp, and of the lane.
/// `ofBlock` is the known interval of the row block. It also serves as the interval of the warp.
SeenKeys buildSeen(AttendRows &k, PieceAttr piece, const SeenRange &ofBlock);
/// Returns the first rank of the key block that contains the first visible key.
Value firstKeyBlock(AttendRows &k, const SeenKeys &seen);
/// Finds the next key block, at rank `from` or later, with a key that some row of the row block may see. Returns the
/// rank of the block's first key, which is `seen.end` or more if there is no such block. Also returns whether this
/// warp's rows may see one of the keys `ofWarp` of the block (i1). Contains barriers of the thread block.
FoundBlock findKeyBlock(AttendRows &k, const WarpKeys &ofWarp, const SeenKeys &seen, Value from);

/// For each of the lane's two rows, the columns [begin, end) of a tile that the row sees. They are i32, relative to the
/// lane's first column.
struct LaneColumns {
  Value begin[2], end[2];

  /// Returns whether element n of the lane's tile is visible (i1).
  Value has(KernelBuilder &kb, size_t n) const;
};
/// Returns the columns of a tile that the lane's rows see. The columns of the tile are the keys of ranks [keyBlock,
/// keyBlock + count).
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
/// Writes the lane's elements of a tile to `memory`, the warp's tile in shared memory.
void storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile);
/// Reads the lane's `size` elements of a tile from `memory`, the warp's tile in shared memory.
TileSums loadTile(AttendRows &k, const SharedMatrix &memory, size_t size);

/// The factors of a matrix product, tile b. `tile` is in registers, and `b` in shared memory. Column t of the tile is
/// multiplied by row t of b, for the first `terms` columns.
struct TileProduct {
  ArrayRef<Value> tile;
  const SharedMatrix &b;
  int64_t terms;
};
/// Returns `sums` plus the product of `factors`.
SmallVector<Value> addTile(AttendRows &k, ArrayRef<Value> sums, const TileProduct &factors);
/// Returns `sums` plus the product of `factors`, but leaves out each product of a masked element of the tile
/// (`isMasked`) and a non-finite element of b. A row whose other terms are finite gets the same bits as from addTile.
/// Passes the tile through `memory`, the warp's tile in shared memory.
SmallVector<Value> addCarefully(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> sums,
                                const TileProduct &factors, function_ref<Value(Value)> isMasked);
/// Returns whether one of `values` is infinite or NaN (i1).
Value isInfinite(KernelBuilder &kb, ArrayRef<Value> values);

/// Returns the element of a vector of one element. Returns a scalar as it is.
Value scalarOf(KernelBuilder &kb, Value x);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDROWS_H
