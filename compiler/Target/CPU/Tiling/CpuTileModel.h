//===- CpuTileModel.h - Tiles on CPUs ------------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses tiles for CPUs. Three kinds of memory bound them. Vector registers hold the accumulators. The first-level
// cache holds a panel of keys, and P of a block of keys. The second-level cache holds packed operands from use to use.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_TILING_CPUTILEMODEL_H
#define XF_COMPILER_TARGET_CPU_TILING_CPUTILEMODEL_H

#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Tile/Host/TileModel.h"

namespace mlir::xf::cpu {

/// The tile model of CPUs.
class CpuTileModel : public TileModel {
public:
  explicit CpuTileModel(const CpuMachine &machine);

  bool takesParts() const override { return true; }
  xft::AttendTileAttr attendTile(Type element, int64_t depth, int64_t valueDepth) const override;
  xft::AttendTileAttr attendVjpTile(xft::VjpSide side, Type element, int64_t depth, int64_t valueDepth) const override;
  std::optional<PackedKeys> packedKeys(Type element, Type stored) const override;
  bool foldsGroupedQueries() const override { return true; }
  bool splitsGradientBySide() const override { return false; }
  bool sumsColumnsInOrder() const override { return true; }

  ProductTile productTile(HostBuilder &host, const Product &product) const override;
  bool prepacksWeights() const override { return true; }

  Size rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t elementBytes, int64_t bytes) const override;
  int64_t reductionColumns(Type element) const override;
  Size reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const override;
  bool reducesInOneSlice(std::optional<int64_t> others) const override;
  Size tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const override;

  xft::AttendTileAttr scanTile(Type real, int64_t valueDepth) const override;

  void describeLaunch(Operation *op) const override;

  /// Returns the tile of attention that computes in `real`: its registers, and its blocks of queries and keys.
  xft::AttendTileAttr attendTile(Type real) const;
  /// Returns the element type of the operands of products in attention whose q has elements of type `element`. Returns
  /// null if it is the type of sums.
  Type operandOf(Type element) const;

  const CpuMachine machine;
};

/// Return the forms of attention that CPUs have. Decode: few rows of a head, for which the keys of the head are read
/// once (xft.attend_decode).
std::shared_ptr<const AttentionForm> decodeForm(const CpuTileModel &model);
/// A box of a grid around each query, with neighbouring queries in lanes (xft.attend_stencil and its gradient).
std::shared_ptr<const AttentionForm> stencilForm(const CpuTileModel &model);
/// Residues that share nothing, one in each lane (xft.attend_residues and its gradient).
std::shared_ptr<const AttentionForm> residuesForm(const CpuTileModel &model);
/// Blocks of queries and keys in register tiles (xft.attend, xft.attend_vjp). This form computes every attention.
std::shared_ptr<const AttentionForm> blocksForm(const CpuTileModel &model);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_TILING_CPUTILEMODEL_H
