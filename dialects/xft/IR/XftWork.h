//===- XftWork.h - The work of the steps of a host program ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that describe the work of steps. Two attributes state what one run of a step does, if sizes are static
// (xfrt_work):
//   xft.launch @matmul_bias tiles(%n) (%x, %w, %b, %y : ..) {xft.bytes = 7.1e6 : f64, xft.flop = 1.2e9 : f64}
// FLOP are known for products and attention. Bytes are those of a step's operands, each element once: the step moves
// that many if caches keep the elements meanwhile. Memory bandwidth limits kernels that go over rows, so these bytes
// say how long they take.
//
// A tool that explains a program numbers its attentions before it compiles the program. Launches then state which
// attention they compute, and by which kernels. No pass reads that, so an explained program has the same kernels as any
// other:
//   xft.launch @attend(..) {xft.attention = {form = "blocks", number = 0, tile = [8, 16, 8, 48, 256], why = [..], ..}}
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTWORK_H
#define XF_DIALECTS_XFT_IR_XFTWORK_H

#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// Float attribute of a step: the bytes of its operands. flopAttrName is the attribute of its FLOP.
inline constexpr StringLiteral bytesAttrName = "xft.bytes";

/// Returns the bytes of a view, counting each element once: a dimension of stride 0 counts as one element. Returns
/// nullopt if a size is dynamic.
std::optional<int64_t> bytesOf(MemRefType type);
/// Returns the buffers that `step` reads or writes, each once.
SmallVector<Value> buffersOf(HostStep step);
/// Returns the floating-point operations of a launch of a product: two for each element of the result and each term of
/// its sum. Returns nullopt for other launches, and if a size is dynamic.
std::optional<double> productFlop(LaunchOp launch);

/// Sets the attributes of a step that state its bytes and its FLOP, if the sizes of its operands are static. Leaves the
/// attribute of FLOP as it is if there is one already: the FLOP of an attention are known only while it is tiled.
void recordWork(HostStep step);
/// Return the FLOP and the bytes that the attributes of a step state, or nullopt if they state none.
std::optional<double> flopOf(HostStep step);
std::optional<double> bytesOf(HostStep step);

//===--- attentions ---===//

/// Numbers all attentions of a module and their gradients, in order, and stores the numbers in their locations.
void numberAttentions(ModuleOp module);
/// Returns the number that numberAttentions gave an attention, or nullopt if it has none.
std::optional<int64_t> attentionNumber(Operation *attention);

/// The sizes of the tiles in which kernels compute an attention. They determine the number of pairs that kernels
/// compute.
struct AttentionFigures {
  int64_t rows, columns;                    ///< a step computes `rows` queries with `columns` keys
  int64_t wholeColumns;                     ///< keys of an aligned run, which is computed whole if rows see some of it
  int64_t queries, keys;                    ///< queries and keys of a block
  std::optional<double> executedPairs = {}; ///< pairs of one head, if steps are not rows by columns
};

/// What a launch states by its attribute xft.attention about the attention that it computes.
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
