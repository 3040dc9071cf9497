//===- GpuTileModel.h - Tiles on GPUs ------------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles on a GPU are bounded by the registers of a thread and the shared memory of a block, and must yield enough
// blocks for all multiprocessors. On sm_90a, attention, its gradient and products of 16-bit floats run on warpgroups if
// their operands allow it; a second kernel recomputes tiles with non-finite results.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_GPUTILEMODEL_H
#define XF_COMPILER_TARGET_NVGPU_TILING_GPUTILEMODEL_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Tile/Host/TileModel.h"

namespace mlir::xf::nvgpu {

class GpuTileModel : public TileModel {
public:
  explicit GpuTileModel(const NvgpuMachine &machine) : machine(machine) {}

  LogicalResult checkHeads(Operation *op, RankedTensorType matrix) const override;
  xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const override;
  xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth, int64_t valueDepth) const override;
  AttendKernels attendKernels(AttentionOp op, HostBuilder &host, const QueryOrder &order, ArrayRef<Buffer> operands,
                              bool resume, bool save) const override;
  AttendKernels attendVjpKernels(AttentionVjpOp op, HostBuilder &host, xft::VjpSide side, PieceAttr piece,
                                 TilesAttr tiles, ArrayRef<Buffer> operands) const override;
  xft::AttendSchedule schedule(xft::AttendTileAttr tile) const override;
  bool foldsGroupedQueries() const override { return true; }
  bool splitsGradientBySide() const override { return true; }
  bool sumsColumnsInOrder() const override { return false; }

  xft::AttendTileAttr tileOf(const AttentionShape &shape, bool isGradient, Type element) const override;
  int64_t stepColumns(xft::AttendTileAttr tile) const override { return tile.getKeys(); }
  int64_t wholeColumns(xft::AttendTileAttr tile) const override { return tile.getKeys(); }
  SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                       Type element) const override;

  ProductTile productTile(HostBuilder &host, const Product &product) const override;
  int64_t splitK(HostBuilder &host, const Product &product) const override;

  Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const override;
  int64_t mostTileColumns() const override;
  bool prefersManyRows() const override { return true; }
  int64_t reductionColumns(Type element) const override;
  Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const override;
  Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const override;
  bool keepsNormStatistics() const override { return true; }

  xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const override;
  std::optional<int64_t> scanSharedBytes() const override { return machine.sharedBytes; }

  void describeLaunch(Operation *op) const override;

private:
  const NvgpuMachine machine;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_GPUTILEMODEL_H
