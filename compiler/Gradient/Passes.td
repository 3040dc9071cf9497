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
  let description = [{
    Adds a function NAME_vjp beside each entry that has a derivative: it takes the arguments of the entry and a
    cotangent of each real result, and returns the results and a gradient of each real argument. Replaces `xf.vjp` by
    such code likewise.

    Before `-xf-gradient=entry=f`:
    ```mlir
    func.func @f(%x: tensor<4xf32> {xf.name = "x"}) -> (tensor<4xf32> {xf.name = "y"}) {
      %y = xf.neg %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<4xf32> {xf.name = "x"}) -> (tensor<4xf32> {xf.name = "y"}) {
      %y = xf.neg %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func @f_vjp(%x: tensor<4xf32> {xf.name = "x"}, %d_y: tensor<4xf32> {xf.name = "d_y"})
        -> (tensor<4xf32> {xf.name = "y"}, tensor<4xf32> {xf.name = "d_x"}) {
      %y = xf.neg %x : tensor<4xf32>
      %d_x = xf.map (%g = %d_y : tensor<4xf32>) -> tensor<4xf32> {
        %r = arith.negf %g : f32
        xf.yield %r : f32
      }
      return %y, %d_x : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entry", "std::string", 
               "functions that get a NAME_vjp beside them, as those that carry the unit attribute xf.vjp do">,
  ];
}

#endif // XF_COMPILER_GRADIENT_PASSES_TD
