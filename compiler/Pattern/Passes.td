//===- Passes.td - The pattern stage -----------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PASSES_TD
#define XF_COMPILER_PATTERN_PASSES_TD

include "mlir/Pass/PassBase.td"

def SolvePatternsPass : Pass<"xf-solve-patterns"> {
  let summary = "Solve patterns of attention: write them as pieces with bounds";
}

#endif // XF_COMPILER_PATTERN_PASSES_TD
