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

/// Float attribute of a step: the sum of the bytes of its operands. The attribute of its FLOP is flopAttrName.
inline constexpr StringLiteral bytesAttrName = "xft.bytes";

/// Returns the bytes of the distinct elements of a view: a dimension of stride 0 counts once. Returns nullopt if a size
/// is dynamic.
std::optional<int64_t> bytesOf(MemRefType type);
/// Returns the buffers that `step` reads or writes, each once.
SmallVector<Value> buffersOf(HostStep step);
/// Returns the floating-point operations of a launch of a product: two for each element of the result and each term of
/// its sum. Returns nullopt for other launches, and if a size is dynamic.
std::optional<double> productFlop(LaunchOp launch);

/// Sets the bytes and the FLOP of a step from its operands, if their sizes are static. Does not replace FLOP: those of
/// an attention are known only when it is tiled.
void recordWork(HostStep step);
/// Return the FLOP and the bytes that the attributes of a step state, or nullopt if they state none.
std::optional<double> flopOf(HostStep step);
std::optional<double> bytesOf(HostStep step);

//===--- attentions ---===//

/// Numbers all attentions of a module and their gradients, in order, and stores the numbers in their locations.
void numberAttentions(ModuleOp module);
/// Returns the number that numberAttentions gave an attention, or nullopt if it has none.
std::optional<int64_t> attentionNumber(Operation *attention);

/// The sizes of the tiles in which kernels compute an attention, from which follow the pairs that they compute.
struct AttentionFigures {
  int64_t rows, columns;                    ///< a step computes `rows` queries with `columns` keys
  int64_t wholeColumns;                     ///< keys of an aligned run, which is computed whole if rows see some of it
  int64_t queries, keys;                    ///< queries and keys of a block
  std::optional<double> executedPairs = {}; ///< pairs of one head, if steps are not rows by columns
};

/// What the attribute of a launch states about the attention that it computes.
struct LaunchedAttention : AttentionFigures {
  int64_t number;
  StringRef form;                            ///< the form of attention
  std::optional<VjpSide> side;               ///< the side of a gradient, if each side has its own kernel
  SmallVector<std::string> reasons;          ///< what limits the figures, as text for people
  SmallVector<::mlir::xf::PieceAttr> pieces; ///< the pieces whose pairs are computed

  /// Reads the attribute of `launch`, or returns nullopt if the launch computes no numbered attention.
  static std::optional<LaunchedAttention> of(LaunchOp launch);
  /// Sets the attribute of `launch`.
  void setOn(LaunchOp launch) const;
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTWORK_H
