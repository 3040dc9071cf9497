//===- PrepackedWeights.h - Weights packed once -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H
#define XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// Appends a launch of `kernel`. If `mark` is not empty, sets it as a unit attribute of the launch, which selects the
/// calls of the entry that run the launch (dialects/xft/IR/XftHeld.h).
void launchMarked(HostBuilder &host, func::FuncOp kernel, Size tiles, ValueRange operands, StringRef mark);

/// Returns the operand type of a kernel that reads or writes panels of `columns` columns.
MemRefType panelsType(const HostBuilder &host, const Buffer &panels, int64_t columns);

/// Appends the launch that packs the right operand b [batch.., K, N] of a product into panels [batch.., panels, K,
/// columns] of type `element`. Rounds K up to a multiple of `terms`. A handle that holds parameters keeps the panels
/// from call to call. Returns the panels. Returns nullopt if b is no parameter, if the entry updates it, if its sizes
/// are dynamic or 0, or if its matrices differ within the batch.
std::optional<Buffer> prepackPanels(HostBuilder &host, const Buffer &b, Type element, int64_t columns, int64_t terms);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_PREPACKEDWEIGHTS_H
