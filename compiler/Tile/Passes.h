//===- Passes.h - The tile stage --------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_PASSES_H
#define XF_COMPILER_TILE_PASSES_H

#include "compiler/Support/MachineOptions.h"
#include "compiler/Tile/Host/TileModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {

#define GEN_PASS_DECL
#include "compiler/Tile/Passes.h.inc"

/// A function that returns the tile model of a machine, or null after an error.
using TileModelOf = std::unique_ptr<TileModel> (*)(const MachineOptions &machine,
                                                   function_ref<InFlightDiagnostic()> emitError);
/// Creates the pass xf-tile-program, which tiles a program for the model that `modelOf` returns for `machine`. In
/// tests, this may be the model of a target that is not registered.
std::unique_ptr<Pass> createTileProgramPass(TileModelOf modelOf, const MachineOptions &machine = {});
/// Registers the passes of the stage `tile`. xf-tile-program takes its tile models from `modelOf`.
void registerTilePasses(TileModelOf modelOf);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_PASSES_H
