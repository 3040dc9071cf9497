//===- Passes.td - The memory stage ------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_MEMORY_PASSES_TD
#define XF_COMPILER_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanArenaPass : Pass<"xf-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "Place the buffers of a host program in one arena";
}

#endif // XF_COMPILER_MEMORY_PASSES_TD
