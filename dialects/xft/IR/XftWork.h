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
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTWORK_H
#define XF_DIALECTS_XFT_IR_XFTWORK_H

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

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTWORK_H
