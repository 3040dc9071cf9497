//===- ScanTiling.h - Shared code of scan tilings ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tilings of xf.attention (TileScan.cpp) and xf.attention_vjp (TileScanVjp.cpp) share: operands, tiles and
// slices of a sequence, and the attributes and operands that xft.scan and xft.scan_vjp have in common.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_SCAN_SCANTILING_H
#define XF_COMPILER_TILE_SCAN_SCANTILING_H

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Scan/ScanFeatures.h"
#include "dialects/xft/IR/XftScanSizes.h"

namespace mlir::xf {

/// The tiling of a scan, or of its gradient, into launches.
template <typename OpTy>
struct ScanTiling {
  OpTy op;
  KernelSumAttr sum;
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  std::optional<xft::ScanPhase> phase = {};
  int64_t slice = 1; ///< chunks per slice
  Buffer q, k, v;
  int64_t depth, valueDepth, projections;
  std::optional<Buffer> weights; ///< 1x1xmxD'
  Type features;                 ///< the type to which the scan rounds features as operands; null: it does not

  ScanTiling(OpTy op, KernelSumAttr sum, HostBuilder &host);

  /// Return the attributes of a scan or its gradient.
  xft::ScanFeaturesAttr featuresAttr() const;
  xft::ScanScheduleAttr scheduleAttr(Type features) const;
  /// If the attention has a number (xft::numberAttentions), makes `launch` state this number and the size of its
  /// chunks, for `xfc explain`.
  void describe(xft::LaunchOp launch);
  /// Adds the operations and pairs of one call, features included, to the work of the host program. Adds nothing if a
  /// size is dynamic.
  void count(bool hasWeightGradient = false);

  /// Returns true if kernels may leave rows of o unwritten: the rows of queries that see no key.
  bool leavesRows() {
    auto nq = HostBuilder::constant(q.sizes[2]), nk = HostBuilder::constant(k.sizes[2]);
    bool mayPrecedeKeys = sum.getCausal() && !(nq && nk && *nq <= *nk),
         mayLackKeys = !nk || *nk == 0 || op.getLengths();
    return op.getQueryLengths() || sum.getSegments() || mayPrecedeKeys || mayLackKeys;
  }

  /// Returns true if the sequence may be cut into slices whose sums over keys are computed side by side. Returns false
  /// if threads run tasks, if keys correct the state (beta), or if there are segments, whose number is unknown. Also
  /// returns false with decay if features have an epsilon and a maximum of the sequence as their stabiliser. Such an
  /// epsilon is added only when slices are joined, and would not decay.
  bool maySplit();

  /// Returns true if the gradient of keys passes through the maximum of their sequence.
  bool hasMaximum();

  /// Returns true if features and states may be rounded to `operand` as operands of products.
  bool roundsFeatures(Type operand);
  int64_t slots() const { return std::max<size_t>(1, exponentsOf(sum.getFeature()).size() / 2); }
  /// Returns true if a thread block runs a task and shares its memory, false if a single thread runs it.
  bool isBlock() const { return tile.getLanes() == 1; }
  xft::ScanSizes sizes(bool isGradient);
  /// Returns the bytes of a task's scratch memory that do not fit the shared memory of its thread block.
  int64_t scratchBytes(bool isGradient) { return host.model.scanScratchBytes(sizes(isGradient)); }
  /// Returns the number of slices of `count` rows. It is at least 1, because without rows, one slice still holds the
  /// state that other launches read.
  Size slicesOf(Size count) { return host.max(host.ceilDiv(count, slice * tile.getQueries()), host.size(1)); }
  /// Allocates the states of a scan. If the scan is causal or split into phases, this is the state before each slice.
  /// Otherwise it is the one state of all keys.
  Buffer allocateState();
  /// Allocates memory for `tasks` tasks: the part of their scratch memory that does not fit the shared memory of their
  /// thread blocks. Returns nullopt if all fits, or if threads run tasks.
  std::optional<Buffer> allocateScratch(Size tasks, bool isGradient);

  /// Adds the projection W as an operand and returns its index. Returns an empty list if the scan has no projection.
  SmallVector<unsigned, 2> addWeights(AttendOperands &operands);
  /// Adds the operands of all clauses except the weights, whose operand has been added already (`weightsNumber`).
  /// Returns the indices of all operands, weights included, in the groups of xft.scan's clauses.
  GroupNumbers addClauses(AttendOperands &operands, ArrayRef<unsigned> weightsNumber,
                          const std::optional<Buffer> &state, const std::optional<Buffer> &scratch);
};

/// Verifies the preconditions of scan kernels: static head sizes above 0, no feature region, parameters of static
/// shape. Fails after an error at the op.
template <typename OpTy>
LogicalResult checkScan(OpTy op);

//===--- TileScan.cpp ---===//
/// Appends the launches of a scan. o must have a unit inner stride. If `isKept`, or if the sequence is split into
/// slices, returns the buffer of states that the launches fill: the state of all keys, or the states before slices.
/// Otherwise returns nullopt.
template <typename OpTy>
std::optional<Buffer> launchScan(ScanTiling<OpTy> t, const Buffer &o, bool isKept);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_SCAN_SCANTILING_H
