//===- TileModel.h - What a target decides about tiles ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stage `tile` turns ops into launches of kernels. The machine decides tile sizes, the form in which operands reach
// a kernel, which kernels share a computation, and what a launch provides besides operands. Tilings call this
// interface, and never test which target it is; every target implements it (compiler/Target/*/Tiling). Scans that
// thread blocks run still choose their own chunks and slices (Scan/TileScan.cpp).
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

/// The tile of a matrix product, in the terms of xft.contract.
struct ProductTile {
  int64_t rows, columns, block, depth, panels = 1;
  xft::WarpgroupsAttr warpgroups = {};
  /// Of prepacked weights: the element type of panels, null for that of sums, and the multiple that their rows are
  /// padded to, because one instruction takes several terms.
  Type panelElement = {};
  int64_t panelTerms = 1;
};

/// The kernels that compute the rows of one launch, in this order, by their schedules.
struct AttendKernels {
  SmallVector<xft::AttendSchedule, 2> schedules;
  /// Flags per tile (i32 each) by which an earlier kernel marks what a later one must recompute; 0 for none.
  int64_t flagsPerTile = 0;
};

/// The tiling decisions of one target.
class TileModel {
public:
  virtual ~TileModel() = default;

  //===--- attention ---===//

  /// Fails, after an error at `op`, if kernels do not support heads of q or v of type `matrix`.
  virtual LogicalResult checkHeads(Operation *op, RankedTensorType matrix) const;
  /// Returns the tile of attention on matrices of `element`, with `depth` columns of q and k and `valueDepth` of v.
  virtual xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const = 0;
  /// Returns the tile of the gradient's kernel, or of the kernel of `side` if splitsGradientBySide().
  virtual xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth,
                                            int64_t valueDepth) const = 0;
  /// Returns the schedule of a kernel of attention, or of its gradient, with this tile, unless the functions below
  /// return others.
  virtual xft::AttendSchedule schedule(xft::AttendTileAttr tile) const = 0;
  /// Returns the kernels of one query order: by default one, with attendTile(). `operands`: q, k, v, o. `resume` and
  /// `save` as in xft.attend.
  virtual AttendKernels attendKernels(AttentionOp op, HostBuilder &host, const QueryOrder &order,
                                      ArrayRef<Buffer> operands, bool resume, bool save) const;
  /// Returns the kernels of one side of a piece's gradient: by default one, with attendVjpTile(). `operands`: q, k, v,
  /// d_o and the gradients of the side. If `tiles` is set, a predicate decides pairs tile by tile. Called only if
  /// splitsGradientBySide().
  virtual AttendKernels attendVjpKernels(AttentionVjpOp op, HostBuilder &host, xft::VjpSide side, PieceAttr piece,
                                         TilesAttr tiles, ArrayRef<Buffer> operands) const;
  /// Returns the tile of a kernel that computes one residue of `piece` per SIMD lane; null if there is no such kernel.
  /// `attention`: an xf.attention, whose first query order in `solution` has only this piece, or an xf.attention_vjp.
  virtual xft::LaneTileAttr laneTile(Operation *attention, SolutionAttr solution, PieceAttr piece) const;
  /// True if grouped queries are folded: heads of queries that share a head of keys become rows of one head if that
  /// saves tiles.
  virtual bool foldsGroupedQueries() const { return false; }
  /// True if gradients of queries, of keys and values, and of captured tensors are computed by separate kernels, each
  /// of which recomputes the probabilities; else one kernel computes all of them.
  virtual bool splitsGradientBySide() const = 0;
  /// True if it is cheap to sum over the columns of o in ascending order, one column after the other.
  virtual bool sumsColumnsInOrder() const = 0;

  //===--- what `explain` shows of attention ---===//

  /// Returns the tile of an attention, or of its gradient; null if head sizes are dynamic and the tile depends on them.
  virtual xft::AttendTileAttr tileOf(const AttentionShape &shape, bool isGradient, Type element) const = 0;
  /// Return the number of keys that a group of rows computes in one step, and the length of the aligned run of keys
  /// that is always computed as a whole.
  virtual int64_t stepColumns(xft::AttendTileAttr tile) const = 0;
  virtual int64_t wholeColumns(xft::AttendTileAttr tile) const = 0;
  /// Returns text for people on what bounds rows, blocks of keys and blocks of queries: a line each.
  virtual SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                               Type element) const = 0;
  /// Returns text for people on what bounds a lane tile; empty without lane tiles.
  virtual std::string laneReason(xft::LaneTileAttr tile, PieceAttr piece) const;

  /// Returns text for people on the resources that the tile of `kernel`, which is not expanded yet, was chosen by;
  /// empty if the target does not limit them.
  virtual std::string resourcesOf(func::FuncOp kernel) const;

  //===--- products ---===//

  /// Returns the tile of a product.
  virtual ProductTile productTile(HostBuilder &host, const Product &product) const = 0;
  /// Returns the number of split-K slices of the terms of `product`, which is in the form of xft.contract; 1 for none.
  virtual int64_t splitK(HostBuilder &host, const Product &product) const;
  /// True if handles that hold parameters keep them as packed panels from call to call.
  virtual bool prepacksWeights() const { return false; }

  //===--- rows and reductions ---===//

  /// Returns the number of tiles along the innermost outer dimension of `sizes`. `elementBytes`: bytes of all operands
  /// in one column; `bytes`: what a tile should move.
  virtual Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const = 0;
  /// Returns the largest number of columns of a tile if columns are cut into blocks.
  virtual int64_t mostTileColumns() const { return std::numeric_limits<int64_t>::max(); }
  /// True if the longest outer dimension should be the rows, so that there are many tiles.
  virtual bool prefersManyRows() const { return false; }
  /// Returns the number of columns of a tile that reduces rows of `element`.
  virtual int64_t reductionColumns(Type element) const = 0;
  /// Returns the number of slices that `rows` rows are summed in; the slices' sums are added in order. `others`: the
  /// number of independent reductions.
  virtual Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const = 0;
  /// True if `others` independent reductions (nothing: unknown) are enough tasks without slices.
  virtual bool reducesInOneSlice(std::optional<int64_t> others) const;
  /// Returns the number of blocks that the `rows` rows of an embedding table's gradient are cut into; each block reads
  /// all ids. `columnBlocks`: the number of blocks of its columns.
  virtual Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const = 0;
  /// True if the gradient of a norm stores the statistics of rows for a second kernel that sums the gradients of
  /// weights; else one kernel does both.
  virtual bool keepsNormStatistics() const { return false; }

  //===--- scans ---===//

  /// Returns the tile of a scan of kernelised attention that is computed in `real`.
  virtual xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const = 0;
  /// Returns the bytes of shared memory of the thread block that runs a task of a scan; the scan's state lies there as
  /// far as it fits. Nothing if one thread runs a task, with scratch memory of its own.
  virtual std::optional<int64_t> scanSharedBytes() const { return std::nullopt; }

  //===--- launches ---===//

  /// Sets attributes on the kernel of `op` for all that a launch provides besides operands: bytes of scratch memory,
  /// tensor maps. `op` is a structured op, alone in its function: xft.attend, attend_vjp, their forms in lanes,
  /// contract or a scan.
  virtual void describeLaunch(Operation *op) const = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEMODEL_H
