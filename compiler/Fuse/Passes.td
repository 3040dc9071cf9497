//===- Passes.td - The fuse stage ---------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_FUSE_PASSES_TD
#define XF_COMPILER_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def FusePass : Pass<"xf-fuse", "::mlir::func::FuncOp"> {
  let summary = "Rewrite a model graph so that elements cross memory as rarely as possible";
}

#endif // XF_COMPILER_FUSE_PASSES_TD
