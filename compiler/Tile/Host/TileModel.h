//===- TileModel.h - What a target decides about tiles ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decisions of a target for the stage `tile`, which turns ops into launches of kernels: the sizes of tiles, the form in
// which operands reach a kernel, the kernels that share a computation, and what a launch provides besides operands.
// Tilings call this interface, and never test which target it is. Every target implements it
// (compiler/Target/*/Tiling). Scans that thread blocks run still choose their own chunks and slices
// (Scan/TileScan.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEMODEL_H
#define XF_COMPILER_TILE_HOST_TILEMODEL_H

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"
#include <limits>
#include <memory>

namespace mlir::xft {
struct ScanSizes;
} // namespace mlir::xft

namespace mlir::xf {

class AttentionForm;
class HostBuilder;
struct Product;
using Size = OpFoldResult;

/// The tile of a matrix product. The fields are the attributes of xft.contract with the same names.
struct ProductTile {
  int64_t rows, columns, block, depth, panels = 1;
  bool widened = false;
  xft::WarpgroupsAttr warpgroups = {};
  /// The element type of panels of prepacked weights. Null stands for the type of sums.
  Type panelElement = {};
  /// The number of terms that one instruction takes. Panels of prepacked weights pad K to a multiple of it.
  int64_t panelTerms = 1;
};

/// How keys and values are packed for kernels of attention.
struct PackedKeys {
  Type element;      ///< the type of packed keys and values
  int64_t terms = 1; ///< terms of one instruction; they are adjacent (xft.gather_panels)
};

/// The tiling decisions of one target.
class TileModel {
public:
  virtual ~TileModel() = default;

  //===--- attention ---===//

  /// Verifies that kernels support a q or v of type `matrix`. Fails after an error at `op`.
  virtual LogicalResult checkHeads(Operation *op, RankedTensorType matrix) const;
  /// Returns true if the target has kernels for an attention whose q is only a part of all queries (the clause `part`).
  virtual bool takesParts() const { return false; }
  /// Returns true if kernels would round the weights of attention, and their gradients, to the given type of q, k and
  /// v, even where `weights = exact` forbids it. Such attentions are then computed in the type of sums.
  virtual bool roundsWeights(Type) const { return false; }
  /// Returns the forms of attention, in order of preference. The last forms compute any query order and any piece of a
  /// gradient.
  ArrayRef<std::shared_ptr<const AttentionForm>> forms() const { return attentionForms; }
  /// Returns the tile whose sizes determine how operands of attention kernels are packed and tabulated. The matrices
  /// have element type `element`, `depth` columns of q and k, and `valueDepth` columns of v.
  virtual xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const = 0;
  /// Returns the tile of the kernel of a gradient. If splitsGradientBySide(), this is the kernel that computes `side`,
  /// else the only kernel.
  virtual xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth,
                                            int64_t valueDepth) const = 0;
  /// Returns how keys and values are packed. `stored` is their type in memory, and `element` is the type of numbers
  /// that products may take. Returns nullopt, the default, if kernels read keys and values in place.
  virtual std::optional<PackedKeys> packedKeys(Type element, Type stored) const;
  /// Returns true if grouped queries (heads of queries that share a head of keys) are folded into the rows of one head
  /// if that saves tiles.
  virtual bool foldsGroupedQueries() const { return false; }
  /// Returns true if gradients of queries, of keys and values, and of captured tensors are computed by separate
  /// kernels, each of which recomputes the probabilities. Returns false if one kernel computes all of them.
  virtual bool splitsGradientBySide() const = 0;
  /// Returns true if it is cheap to add the columns of o one after the other, in ascending order.
  virtual bool sumsColumnsInOrder() const = 0;

  /// Returns a text for `xfc explain` that names the resources for which the tile of `kernel` was chosen. `kernel` is
  /// not expanded yet. Returns an empty string if the target does not limit resources.
  virtual std::string resourcesOf(func::FuncOp kernel) const;

  //===--- products ---===//

  /// Returns the tile of `product`. Its operands have the unit strides that xft.contract requires.
  virtual ProductTile productTile(HostBuilder &host, const Product &product) const = 0;
  /// Returns the number of slices into which split-K cuts the terms of `product`, or 1 if it does not cut them. The
  /// operands of `product` have the unit strides that xft.contract requires.
  virtual int64_t splitK(HostBuilder &host, const Product &product) const;
  /// Returns true if a handle that holds parameters keeps weights as packed panels from call to call.
  virtual bool prepacksWeights() const { return false; }

  //===--- rows and reductions ---===//

  /// Returns the number of blocks into which a row-wise launch cuts its last outer dimension. `sizes` are the outer
  /// dimensions, then the columns. `elementBytes` is the sum, over the operands, of the bytes of one element. A tile
  /// should read and write `bytes` bytes.
  virtual Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const = 0;
  /// Returns the largest number of columns that a tile may have if its launch cuts columns into blocks.
  virtual int64_t mostTileColumns() const { return std::numeric_limits<int64_t>::max(); }
  /// Returns true if element-wise kernels should have the longest outer dimension next to the columns. A tile takes
  /// rows along that dimension only, one per warp, so a short dimension would leave warps idle.
  virtual bool prefersManyRows() const { return false; }
  /// Returns the number of columns of a tile of a reduction, which adds rows of `element` to one row of accumulators.
  virtual int64_t reductionColumns(Type element) const = 0;
  /// Returns the number of slices into which a sum over `rows` rows of `columns` columns is cut. The launch computes
  /// `others` such sums, which are independent. The sums of slices are added in order.
  virtual Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const = 0;
  /// Returns true if `others` independent reductions keep the machine busy without slices. `others` is nullopt if
  /// unknown.
  virtual bool reducesInOneSlice(std::optional<int64_t> others) const;
  /// Returns the number of blocks into which the `rows` rows of an embedding table's gradient are cut. Each block reads
  /// all ids. `columnBlocks` is the number of blocks of its columns.
  virtual Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const = 0;
  /// Returns true if one kernel of a norm's gradient stores the statistics of rows, and a second kernel reads them to
  /// sum the gradients of weights. Returns false if one kernel computes all gradients.
  virtual bool keepsNormStatistics() const { return false; }

  //===--- scans ---===//

  /// Returns the tile of a scan of kernelised attention that is computed in `real`.
  virtual xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const = 0;
  /// Returns the bytes of device memory that a task of a scan needs besides the shared memory of its thread block.
  /// Returns 0 if nothing else is needed, or if one thread runs a task, with scratch memory of its own.
  virtual int64_t scanScratchBytes(const xft::ScanSizes &) const { return 0; }

  //===--- launches ---===//

  /// Sets attributes on the kernel of `op` that say what a launch provides besides operands: bytes of scratch memory,
  /// tensor maps. `op` is the only structured op of the kernel: xft.contract, a scan, or an op of attention.
  virtual void describeLaunch(Operation *op) const = 0;

protected:
  SmallVector<std::shared_ptr<const AttentionForm>> attentionForms;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEMODEL_H
