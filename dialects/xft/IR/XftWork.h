//===- XftWork.h - The work of the steps of a host program ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two attributes of a step say what one run of it does, where sizes are static (xfrt_work):
//   xft.launch @matmul_bias tiles(%n) (%x, %w, %b, %y : ..) {xft.bytes = 7.1e6 : f64, xft.flop = 1.2e9 : f64}
// FLOP are known for products and attention. Bytes are the elements of a step's operands, each once: what it moves if
// caches hold them meanwhile. Kernels that go over rows wait for these bytes.
//
// Whoever explains a program numbers its attentions before he compiles it. Launches then tell which attention they
// compute, and by which kernels. No pass looks at that, so a program that is explained has the kernels of any other:
//   xft.launch @attend(..) {xft.attention = {form = "blocks", number = 0, tile = [8, 16, 8, 48, 256], why = [..], ..}}
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTWORK_H
#define XF_DIALECTS_XFT_IR_XFTWORK_H

#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// Float attribute of a step: the bytes of its operands. The attribute of its FLOP is flopAttrName.
inline constexpr StringLiteral bytesAttrName = "xft.bytes";

/// Returns the bytes of the different elements of a view: sizes with stride 0 repeat elements. Returns nullopt if a
/// size is dynamic.
std::optional<int64_t> bytesOf(MemRefType type);
/// Returns the buffers that a step reads or writes, each once.
SmallVector<Value> buffersOf(HostStep step);
/// Returns the operations of a launch of a product: two for each element of a result and term of its sum. Returns
/// nullopt for other launches and dynamic sizes.
std::optional<double> productFlop(LaunchOp launch);

/// Sets the attributes of a step from its operands. Keeps FLOP that are there: those of an attention are known only
/// when it is tiled.
void recordWork(HostStep step);
/// Return what the attributes of a step say; nullopt where it is unknown.
std::optional<double> flopOf(HostStep step);
std::optional<double> bytesOf(HostStep step);

//===--- attentions ---===//

/// Numbers the attentions of a module and their gradients, in order, in their locations.
void numberAttentions(ModuleOp module);
/// Returns the number of an attention; nullopt if it has none.
std::optional<int64_t> attentionNumber(Operation *attention);

/// The pairs that kernels of an attention compute together.
struct AttentionFigures {
  int64_t rows, columns;                    ///< of one step: rows of queries, and the keys that they all compute with
  int64_t wholeColumns;                     ///< of an aligned run of keys, computed even if rows see only some of them
  int64_t queries, keys;                    ///< of a block
  std::optional<double> executedPairs = {}; ///< of one head, where steps have another shape than rows by keys
};

/// What a launch tells of the attention that it computes.
struct LaunchedAttention : AttentionFigures {
  int64_t number;
  StringRef form;                            ///< the name of the way in which it is computed
  std::optional<VjpSide> side;               ///< of a gradient, where sides have kernels of their own
  SmallVector<std::string> reasons;          ///< what limits the figures, for people
  SmallVector<::mlir::xf::PieceAttr> pieces; ///< whose pairs are computed

  /// Returns what a launch tells; nullopt if it computes no attention that has a number.
  static std::optional<LaunchedAttention> of(LaunchOp launch);
  /// Sets the attribute of a launch.
  void setOn(LaunchOp launch) const;
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTWORK_H
