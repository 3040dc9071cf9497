//===- Passes.td - The stage `expand` -----------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_PASSES_TD
#define XF_COMPILER_EXPAND_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandAttentionVjpPass : Pass<"xf-expand-attention-vjp", "::mlir::ModuleOp"> {
  let summary = "Make gradients of attention that is written out those of a function";
}
def ExpandFeaturesPass : Pass<"xf-expand-features", "::mlir::func::FuncOp"> {
  let summary = "Write feature maps of whole rows, and the normaliser norm, as ops around kernelised attention";
}
def ExpandLowRankPass : Pass<"xf-expand-low-rank", "::mlir::func::FuncOp"> {
  let summary = "Write low-rank attention as projections and dense attention";
}

def ExpandRelativePass : Pass<"xf-expand-relative", "::mlir::func::FuncOp"> {
  let summary = "Write features and normalisers of kernelised attention that runs pair by pair as ops around it";
}

#endif // XF_COMPILER_EXPAND_PASSES_TD
