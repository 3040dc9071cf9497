//===- Passes.td - The gradient stage -----------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_PASSES_TD
#define XF_COMPILER_GRADIENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def GradientPass : Pass<"xf-gradient", "::mlir::ModuleOp"> {
  let summary = "Write the derivatives that a module asks for as ordinary code";
  let options = [
    ListOption<"entries", "entry", "std::string", 
               "functions that get a NAME_vjp beside them, as those that carry the unit attribute xf.vjp do">,
  ];
}

#endif // XF_COMPILER_GRADIENT_PASSES_TD
