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
  let description = [{
    Fuses element-wise ops with each other and with the products before them, folds scales into attention, composes
    views, and schedules the updates of parameters right after their gradients. Element-wise ops are `xf.map`
    afterwards, and products `xf.product`.

    Before `-xf-fuse`:
    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
      %h = xf.linear %x, %w bias(%b : tensor<4xf32>) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
      %y = xf.tanh %h : tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
      %y = xf.product %x, %w transposed epilogue(%sum : f32, %bias = %b : tensor<4xf32>) {
        %h = arith.addf %sum, %bias : f32
        %t = math.tanh %h : f32
        xf.yield %t : f32
      } : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x4xf32>)
      return %y : tensor<2x4xf32>
    }
    ```
  }];
}

#endif // XF_COMPILER_FUSE_PASSES_TD
