//===- PrepackedWeights.h - Weights packed once for many calls ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H
#define XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Appends a launch with a unit attribute (dialects/xft/IR/XftHeld.h), or without.
void launchMarked(HostBuilder &host, func::FuncOp kernel, Size tiles, ValueRange operands, StringRef mark);

/// The operand type of a kernel that reads or writes panels of `columns` columns.
MemRefType panelsType(const HostBuilder &host, const Buffer &panels, int64_t columns);

/// The right operand b [batch.., K, N] of a product as panels [batch.., panels, K, columns] that the runtime's handle
/// keeps where it holds parameters, and the launch that fills them. Nothing where b is no parameter, one that the entry
/// changes, or different from batch to batch.
std::optional<Buffer> prepackPanels(HostBuilder &host, const Buffer &b, Type element, int64_t columns);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H
