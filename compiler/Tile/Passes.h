//===- Passes.h - The stage that chooses tiles ---------------- -*- C++ -*-===//
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

/// Turns every function on tensors into a host program and the kernels that it launches.
LogicalResult tileProgram(ModuleOp module, const TileModel &model);

/// The model of the CPU of an -mcpu name; null where LLVM knows none.
using TileModelOf = std::unique_ptr<TileModel> (*)(StringRef mcpu);
/// `xf-tile-program{mcpu=NAME}`: tileProgram as a pass, for the CPU of that name ("native" by default).
std::unique_ptr<Pass> createTileProgramPass(TileModelOf modelOf);
void registerTilePasses(TileModelOf modelOf);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_PASSES_H
