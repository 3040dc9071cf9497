//===- Passes.td - The tile stage --------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_PASSES_TD
#define XF_COMPILER_TILE_PASSES_TD

include "compiler/Support/MachineOptions.td"

def TileProgramPass : Pass<"xf-tile-program", "::mlir::ModuleOp"> {
  let summary = "Turn functions on tensors into host programs that launch kernels";
  // The tile model comes from a registry of targets, which lies above this stage (Passes.h).
  let constructor = "::mlir::xf::createTileProgramPass(modelOf)";
  let options = machineOptions;
}

#endif // XF_COMPILER_TILE_PASSES_TD
