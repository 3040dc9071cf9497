//===- ScanTiling.h - What scans and their gradients share ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both for xf.attention (TileScan.cpp) and xf.attention_vjp (TileScanVjp.cpp): operands, tiles and slices of a
// sequence, the attributes and operands that xft.scan and xft.scan_vjp have in common.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_SCAN_SCANTILING_H
#define XF_COMPILER_TILE_SCAN_SCANTILING_H

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Scan/ScanFeatures.h"
#include "dialects/xft/IR/XftScanScratch.h"

namespace mlir::xf {

/// A scan, or its gradient, on its way to launches.
template <typename OpTy>
struct ScanTiling {
  OpTy op;
  KernelSumAttr sum;
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  std::optional<xft::ScanPhase> phase = {};
  int64_t slice = 1; ///< chunks of a slice
  Buffer q, k, v;
  int64_t depth, valueDepth, projections;
  std::optional<Buffer> weights; ///< 1x1xmxD'

  ScanTiling(OpTy op, KernelSumAttr sum, HostBuilder &host);

  /// The attributes of a scan.
  SmallVector<NamedAttribute> attributes(OpBuilder &b) const;
  /// Operations of one call, features included.
  void count(int64_t passes, bool hasWeightGradient = false);

  /// Whether rows of some queries may not be written: those that see no key.
  bool leavesRows() {
    auto nq = HostBuilder::constant(q.sizes[2]), nk = HostBuilder::constant(k.sizes[2]);
    bool mayPrecedeKeys = sum.getCausal() && !(nq && nk && *nq <= *nk),
         mayLackKeys = !nk || *nk == 0 || op.getLengths();
    return op.getQueryLengths() || sum.getSegments() || mayPrecedeKeys || mayLackKeys;
  }

  /// Whether what keys add up to may be computed slice by slice: not where they correct the state, nor of segments,
  /// whose number is not known, nor where an epsilon that is added afterwards decays.
  bool maySplit();

  int64_t slots() const { return std::max<size_t>(1, exponentsOf(sum.getFeature()).size() / 2); }
  /// Whether a block of threads runs a task, which shares its memory.
  bool isBlock() const { return host.model.scanSharedBytes().has_value(); }
  xft::ScanSizes sizes(bool isGradient);
  /// Bytes of a block's state that do not fit its shared memory.
  int64_t globalScratchBytes(bool isGradient) {
    return xft::ScanScratch(sizes(isGradient), *host.model.scanSharedBytes()).globalBytes;
  }
  /// Slices of `count` rows.
  Size slicesOf(Size count) { return host.ceilDiv(count, slice * tile.getQueries()); }
  /// Of all keys, or one before each slice.
  Buffer allocateState();
  /// Memory of `tasks` blocks that does not fit their shared memory.
  std::optional<Buffer> allocateScratch(Size tasks, bool isGradient);

  using Numbers = SmallVector<unsigned, 1>;
  /// Numbers of the clauses' operands, in the order of the ops'.
  SmallVector<Numbers> addClauses(AttendOperands &operands, const std::optional<Buffer> &state,
                                  const std::optional<Buffer> &scratch);

  /// A scan or its gradient, without its regions.
  template <typename ScanTy>
  ScanTy create(OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments, ArrayRef<Numbers> numbers) {
    SmallVector<Value> values;
    SmallVector<int32_t> segments;
    for (ArrayRef<unsigned> operand : numbers) {
      llvm::append_range(values, pick(arguments, operand));
      segments.push_back(operand.size());
    }
    SmallVector<NamedAttribute> list = attributes(b);
    list.push_back(b.getNamedAttr(ScanTy::getOperandSegmentSizeAttr(), b.getDenseI32ArrayAttr(segments)));
    return ScanTy::create(b, loc, TypeRange(), values, list);
  }
};

/// Whether heads and parameters are such as kernels compute; an error else.
template <typename OpTy>
LogicalResult checkScan(OpTy op);

//===--- TileScan.cpp ---===//
/// The launches of a scan; o has unit inner stride. Returns the state, or the states, where it `isKept`.
template <typename OpTy>
std::optional<Buffer> launchScan(ScanTiling<OpTy> t, const Buffer &o, bool isKept);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_SCAN_SCANTILING_H
