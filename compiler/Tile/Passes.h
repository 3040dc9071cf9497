//===- Passes.h - The stage `tile` ------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_PASSES_H
#define XF_COMPILER_TILE_PASSES_H

#include "compiler/Tile/Host/TileModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {

/// Turns every tensor function into a host program and the kernels that it launches. Kernels, entries and external
/// functions are left alone. Fails after an error.
LogicalResult tileProgram(ModuleOp module, const TileModel &model);

/// Returns the tile model of the CPU with the -mcpu name `mcpu`; null if LLVM has no such 64-bit CPU.
using TileModelOf = std::unique_ptr<TileModel> (*)(StringRef mcpu);
/// Creates the pass `xf-tile-program{mcpu=NAME}`: tileProgram for the CPU NAME ("native" by default).
std::unique_ptr<Pass> createTileProgramPass(TileModelOf modelOf);
/// Registers the pass.
void registerTilePasses(TileModelOf modelOf);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_PASSES_H
