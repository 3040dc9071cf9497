//===- AttentionVjpTiling.h - Tiling a gradient ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the forms of a gradient share when they launch its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H

#include "compiler/Tile/Attend/AttentionForm.h"
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
  SmallVector<Buffer, 4> dQ; ///< one per slice of the keys or, with `slices`, d_q and its halos (KeySlices.h)
  std::optional<xft::KeySlices> slices; ///< slices of consecutive keys
  Buffer dK, dV;
  SmallVector<Buffer> dCaptures; ///< one part per batch entry and group of heads
  std::optional<PredicateData> data;
  Region weights, weightGradients; ///< regions of a linear op, which has none of its own

  AttentionVjpTiling(AttentionVjpOp op, HostBuilder &host);
  /// Returns the site by which forms are asked for kernels. The kernels compute `piece` of the solution of `group` or,
  /// if `piece` is null, the whole solution. With `tiles`, they compute only those pairs of the piece that the
  /// predicate `tiles` selects. `assigns` and `side` become the members of the site with these names.
  AttentionSite siteOf(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns = false,
                       std::optional<xft::VjpSide> side = {});
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
  /// Adds q, k, v, d_o, lse and delta as operands, and returns their indices.
  SmallVector<unsigned> addInputs(AttendOperands &operands);
  /// Adds the operands of a kernel that computes all gradients: the operands of addInputs(), then one d_q, d_k, d_v and
  /// the number of groups of heads. Returns their indices.
  SmallVector<unsigned> addMatrices(AttendOperands &operands);
  xft::WeightsAttr weightsAttr();
  std::vector<ChosenForm> chooseForms(const HeadsOfSolution &group, PieceAttr assigning);
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONVJPTILING_H
