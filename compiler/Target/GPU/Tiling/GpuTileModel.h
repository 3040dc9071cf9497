//===- GpuTileModel.h - Tiles on GPUs ------------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses tiles on a GPU. The registers of a thread and the shared memory of a thread block limit a tile. There must be
// enough tiles for all multiprocessors.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_TILING_GPUTILEMODEL_H
#define XF_COMPILER_TARGET_GPU_TILING_GPUTILEMODEL_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"
#include "compiler/Tile/Host/TileModel.h"

namespace mlir::xf::gpu {

/// The tiling decisions that all GPU targets share.
class GpuTileModel : public TileModel {
public:
  GpuTileModel();

  LogicalResult checkHeads(Operation *op, RankedTensorType matrix) const override;
  bool roundsWeights(Type element) const override { return element.getIntOrFloatBitWidth() == 16; }
  xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const override;
  xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth, int64_t valueDepth) const override;
  bool foldsGroupedQueries() const override { return true; }
  bool splitsGradientBySide() const override { return true; }
  bool sumsColumnsInOrder() const override { return false; }

  ProductTile productTile(HostBuilder &host, const Product &product) const override;

  Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const override;
  int64_t mostTileColumns() const override;
  bool prefersManyRows() const override { return true; }
  int64_t reductionColumns(Type element) const override;
  Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const override;
  Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const override;
  bool keepsNormStatistics() const override { return true; }

  xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const override;
  int64_t scanScratchBytes(const xft::ScanSizes &sizes) const override;

  void describeLaunch(Operation *) const override {}

  /// Returns the machine that tiles are chosen for.
  virtual const GpuMachine &gpu() const = 0;
};

/// Returns the form of attention for few rows of a head (xft.attend_decode). Keys are read once, for all these rows.
std::shared_ptr<const AttentionForm> decodeForm(const GpuTileModel &model);
/// Returns the form of attention by blocks of queries and keys in tiles of warps (xft.attend, and the sides of its
/// gradient). It can compute every attention.
std::shared_ptr<const AttentionForm> warpsForm(const GpuTileModel &model);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_TILING_GPUTILEMODEL_H
