//===- TileModel.h - What a target decides about tiles ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stage `tile` turns ops into launches of kernels. How large a tile is, in which form operands reach a kernel,
// which kernels share a computation and what a launch must provide beside operands depends on the machine. Tilings ask
// this interface; every target implements it (compiler/Target/*/Tiling). No tiling asks which target it is for. Scans
// that blocks of threads run still choose their chunks and slices themselves (Scan/TileScan.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEMODEL_H
#define XF_COMPILER_TILE_HOST_TILEMODEL_H

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"
#include <limits>

namespace mlir::xf {

class HostBuilder;
struct AttentionShape;
struct Buffer;
struct Product;
struct QueryOrder;
using Size = OpFoldResult;

/// The tile of a matrix product, in the words of xft.contract.
struct ProductTile {
  int64_t rows, columns, block, depth, panels = 1;
  xft::WarpgroupsAttr warpgroups = {};
};

/// One kernel of attention or of its gradient.
struct AttendKernelTile {
  xft::AttendTileAttr tile;
  xft::WarpgroupsAttr warpgroups = {};
  bool isRecheck = false; ///< computes again, with care, the tiles that an earlier kernel has flagged (results not
                          ///< finite, or exponents too large)
};

/// The kernels that together compute the rows of a launch, in this order.
struct AttendKernels {
  SmallVector<AttendKernelTile, 2> kernels;
  /// Flags of a tile (i32 each) by which an earlier kernel tells a later one what to compute again; 0 for none.
  int64_t flagsPerTile = 0;
};

class TileModel {
public:
  virtual ~TileModel() = default;

  //===--- attention ---===//

  /// Fails, after an error at `op`, where kernels cannot compute heads of q or v of this type.
  virtual LogicalResult checkHeads(Operation *op, RankedTensorType matrix) const;
  /// The tile of attention on matrices of `element` with `depth` columns of q and k and `valueDepth` of v.
  virtual xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const = 0;
  /// The tile of its gradient, or of one side of it.
  virtual xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth,
                                            int64_t valueDepth) const = 0;
  /// The kernels of one query order. `operands`: q, k, v, o. `resume` and `save` as xft.attend has them.
  virtual AttendKernels attendKernels(AttentionOp op, HostBuilder &host, const QueryOrder &order,
                                      ArrayRef<Buffer> operands, bool resume, bool save) const = 0;
  /// The kernels of one side of a piece of a gradient; asked only where splitsGradientBySide(). `operands`: q, k, v,
  /// d_o and the gradients of the side. Where `tiles` are set, pairs are decided tile by tile.
  virtual AttendKernels attendVjpKernels(AttentionVjpOp op, HostBuilder &host, xft::VjpSide side, PieceAttr piece,
                                         TilesAttr tiles, ArrayRef<Buffer> operands) const;
  /// The tile of a piece whose kernel has a residue in every lane of a register, or null. `attention`: xf.attention,
  /// where the piece is alone in the first query order of `solution`, or xf.attention_vjp.
  virtual xft::LaneTileAttr laneTile(Operation *attention, SolutionAttr solution, PieceAttr piece) const;
  /// Whether kernels read keys and values where they lie; else they read panels that a launch has packed.
  virtual bool readsKeysInPlace() const = 0;
  /// Whether tasks pack keys and values of so many bytes themselves: where each is read by few tasks.
  virtual bool packsKeysInTasks(int64_t bytes) const;
  /// Whether the query heads that share a head of keys (grouped queries) become rows of one head where that saves
  /// tiles.
  virtual bool foldsGroupedQueries() const { return false; }
  /// Whether gradients of queries, of keys and values, and of captured tensors have kernels of their own, which
  /// recompute the probabilities; else one kernel computes all of them.
  virtual bool splitsGradientBySide() const = 0;
  /// Whether sums over the columns of o are cheap enough in ascending order, one column after the other.
  virtual bool sumsColumnsInOrder() const = 0;

  //===--- what `explain` shows of attention ---===//

  /// The tile of an attention, or of its gradient; null where heads have no static size and the tile depends on it.
  virtual xft::AttendTileAttr tileOf(const AttentionShape &shape, bool isGradient, Type element) const = 0;
  /// The keys that a group of rows computes at once, and the aligned run of keys that is computed as a whole.
  virtual int64_t stepColumns(xft::AttendTileAttr tile) const = 0;
  virtual int64_t wholeColumns(xft::AttendTileAttr tile) const = 0;
  /// What bounds rows, blocks of keys and blocks of queries: a line for people each.
  virtual SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                               Type element) const = 0;
  virtual std::string laneReason(xft::LaneTileAttr tile, PieceAttr piece) const;

  //===--- products ---===//

  virtual ProductTile productTile(HostBuilder &host, const Product &product) const = 0;
  /// Split-K: the slices that the terms of a product, in the form of xft.contract, are cut into; 1 for none.
  virtual int64_t splitK(HostBuilder &host, const Product &product) const;
  /// Whether parameters are kept as packed panels from call to call by handles that hold them.
  virtual bool prepacksWeights() const { return false; }

  //===--- rows and reductions ---===//

  /// The number of tiles that the rows of the innermost outer dimension of `sizes` are cut into. `elementBytes`: bytes
  /// of all operands in one column; `bytes`: what a tile should move.
  virtual Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const = 0;
  /// The most columns of a tile where columns are cut.
  virtual int64_t mostTileColumns() const { return std::numeric_limits<int64_t>::max(); }
  /// Whether the longest dimension should be the rows, so that tiles are many.
  virtual bool prefersManyRows() const { return false; }
  /// Columns of a tile that adds rows of `element`.
  virtual int64_t reductionColumns(Type element) const = 0;
  /// Slices that `rows` rows are added up in, whose sums are added in order; `others`: independent reductions.
  virtual Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const = 0;
  /// Whether so many independent reductions are tasks enough without slices.
  virtual bool reducesInOneSlice(std::optional<int64_t> others) const;
  /// The blocks that the `rows` rows of a table's gradient (embedding) are cut into, each of which passes over all ids;
  /// `columnBlocks`: blocks of its columns.
  virtual Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const = 0;
  /// Whether the gradient of a norm leaves its rows' statistics for a kernel that sums gradients of weights; else it
  /// adds these itself.
  virtual bool keepsNormStatistics() const { return false; }

  //===--- scans ---===//

  /// The tile of a scan of kernelised attention, computed in `real`.
  virtual xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const = 0;
  /// The shared memory of the block of threads that runs a task of a scan: its state lies there, as much of it as fits.
  /// Nothing where one thread runs a task and has scratch memory of its own.
  virtual std::optional<int64_t> scanSharedBytes() const { return std::nullopt; }

  //===--- launches ---===//

  /// Leaves on the kernel of a structured op, alone in its function, what launches must provide beside operands: bytes
  /// of scratch memory, tensor maps. Called for xft.attend, attend_vjp, their forms in lanes, contract and scans.
  virtual void describeLaunch(Operation *op) const = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEMODEL_H
