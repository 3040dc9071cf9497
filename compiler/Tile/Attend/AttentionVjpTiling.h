//===- AttentionVjpTiling.h - Tiling a gradient ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the parts of a gradient's tiling share: TileAttentionVjp.cpp, and AttentionVjpSides.cpp for targets
// that compute a gradient side by side.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H

#include "compiler/Tile/Attend/Attention.h"
#include "dialects/xft/IR/XftKeySlices.h"

namespace mlir::xf {

/// The tiling of one xf.attention_vjp into launches.
struct AttentionVjpTiling {
  AttentionVjpOp op;
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  Buffer q, k, v, dO, lse, delta;
  int64_t groups = 1;
  SmallVector<Buffer, 4> dQ; ///< one per slice of the keys or, with `slices`, the buffer of all slices and the halo's
  std::optional<xft::KeySlices> slices; ///< of consecutive keys
  Buffer dK, dV;
  SmallVector<Buffer> dCaptures; ///< one part per batch entry and group of heads
  std::optional<PredicateData> data;
  Region weights, weightGradients; ///< regions of a linear op, which has none of its own

  AttentionVjpTiling(AttentionVjpOp op, HostBuilder &host);
  xft::AttendTileAttr tileOf(xft::VjpSide side);
  Region &getScore() { return isLinear(op) ? weights : op.getScore(); }
  Region &getDerivative() { return isLinear(op) ? weightGradients : op.getDerivative(); }
  SmallVector<Value> captures();
  SmallVector<Value> captureGradients();
  SmallVector<int64_t> reads();
  SmallVector<int64_t> readsOfGradients();
  bool tellsApart(int64_t number, unsigned argument, Size count, ArrayRef<Size> sizes);
  Buffer splitLse();
  void findLse();
  LogicalResult launchAll();
  Buffer startCapture(unsigned number);
  void finishCapture(const Buffer &parts, Value gradient);
  void launchPiece(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns);
  void launchSide(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns, xft::VjpSide side);
  /// A kernel of one side of a gradient. If residues share rows or keys, each residue has a launch of its own, and
  /// `residue` is the residue of this launch.
  struct SideKernel {
    xft::VjpSide side;
    std::optional<int64_t> residue;
    xft::AttendSchedule schedule;
    std::optional<Buffer> flags; ///< as in #xft.warpgroup_tiles
  };
  Size blocksOf(PieceAttr piece, const SideKernel &kernel);
  Size tilesOf(const HeadsOfSolution &group, PieceAttr piece, const SideKernel &kernel);
  void launchResidues(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns, xft::VjpSide side,
                      std::optional<int64_t> residue);
  void launchKernel(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns);
  void launchSideKernel(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                        const SideKernel &kernel);
  SmallVector<unsigned> addInputs(AttendOperands &operands);
  SmallVector<unsigned> addMatrices(AttendOperands &operands);
  xft::WeightsAttr weightsAttr();
  void launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool assigns);
  void launchLines(const HeadsOfSolution &group, xft::LineTileAttr tile, bool assigns);
  void launchSolution(const HeadsOfSolution &group, PieceAttr assigning);
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H
