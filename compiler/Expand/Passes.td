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
  let description = [{
    Moves the attention of a gradient into a function of its own, which the gradient stage differentiates, where another
    pass of the stage writes that attention as ops: its gradient is the gradient of those ops. Runs before these passes.
    Gradients that kernels compute stay.

    Before `-xf-expand-attention-vjp`:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>, %e: tensor<6x3xf32>, %lse: tensor<1x1x6xf32>, %d_o: tensor<1x1x6x4xf32>)
        -> tensor<6x3xf32> {
      %d_q, %d_k, %d_v, %d_e = xf.attention_vjp %x, %x, %x, %x, %lse, %d_o
          pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf32>)
        : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6xf32>,
           tensor<1x1x6x4xf32>)
        -> (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) params(tensor<6x3xf32>)
      return %d_e : tensor<6x3xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>, %e: tensor<6x3xf32>, %lse: tensor<1x1x6xf32>, %d_o: tensor<1x1x6x4xf32>)
        -> tensor<6x3xf32> {
      %d:5 = xf.vjp @attention(%x, %x, %x, %e) cotangents(%d_o : tensor<1x1x6x4xf32>) wrt [0, 1, 2, 3] : ..
      return %d#4 : tensor<6x3xf32>
    }
    func.func private @attention(%q: tensor<1x1x6x4xf32>, %k: tensor<1x1x6x4xf32>, %v: tensor<1x1x6x4xf32>,
                                 %e: tensor<6x3xf32>) -> tensor<1x1x6x4xf32> {
      %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf32>) : ..
      return %o : tensor<1x1x6x4xf32>
    }
    ```
  }];
}
def ExpandFeaturesPass : Pass<"xf-expand-features", "::mlir::func::FuncOp"> {
  let summary = "Write feature maps of whole rows, and the normaliser norm, as ops around kernelised attention";
  let description = [{
    Writes feature maps of whole rows (softmax, a feature region) and the normaliser `norm` as ops around kernelised
    attention, whose features are scalar afterwards.

    Before `-xf-expand-features`:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32> {
      %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = softmax>)
        : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
      return %o : tensor<1x1x6x4xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32> {
      %u = xf.softmax %x : tensor<1x1x6x4xf32>
      %o = xf.attention %u, %u, %x pattern(#xf.kernelized<feature = identity>)
        : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
      return %o : tensor<1x1x6x4xf32>
    }
    ```
  }];
}
def ExpandLowRankPass : Pass<"xf-expand-low-rank", "::mlir::func::FuncOp"> {
  let summary = "Write low-rank attention as projections and dense attention";
  let description = [{
    Projects the keys and values of low-rank attention to `rank` rows, and attends to all of these.

    Before `-xf-expand-low-rank`:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>, %e: tensor<6x3xf32>) -> tensor<1x1x6x4xf32> {
      %o = xf.attention %x, %x, %x pattern(#xf.low_rank<rank = 3>) params(%e : tensor<6x3xf32>)
        : (tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
      return %o : tensor<1x1x6x4xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<1x1x6x4xf32>, %e: tensor<6x3xf32>) -> tensor<1x1x6x4xf32> {
      %k = xf.matmul %e transposed, %x : (tensor<6x3xf32>, tensor<1x1x6x4xf32>) -> tensor<1x1x3x4xf32>
      %v = xf.matmul %e transposed, %x : (tensor<6x3xf32>, tensor<1x1x6x4xf32>) -> tensor<1x1x3x4xf32>
      %o = xf.attention %x, %k, %v pattern(#xf.dense)
        : (tensor<1x1x6x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x6x4xf32>
      return %o : tensor<1x1x6x4xf32>
    }
    ```
  }];
}

def ExpandRelativePass : Pass<"xf-expand-relative", "::mlir::func::FuncOp"> {
  let summary = "Write features and normalisers of kernelised attention that runs pair by pair as ops around it";
  let description = [{
    Writes features and normaliser of kernelised attention as ops around it, where no state carries its sums from query
    to query: with weights by distance (`relative`), or over a set other than all pairs, the causal ones and segments.
    The attention that remains has the weights <q, k>, or is a softmax, and runs pair by pair.

    Before `-xf-expand-relative`:
    ```mlir
    func.func @f(%x: tensor<1x1x4x3xf32>, %t: tensor<1x7xf32>) -> tensor<1x1x4x3xf32> {
      %o = xf.attention %x, %x, %x pattern(#xf.kernelized<feature = relu, epsilon = 0.0, normalizer = none>)
          relative(%t : tensor<1x7xf32>)
        : (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x1x4x3xf32>
      return %o : tensor<1x1x4x3xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<1x1x4x3xf32>, %t: tensor<1x7xf32>) -> tensor<1x1x4x3xf32> {
      %q = xf.relu %x : tensor<1x1x4x3xf32>
      %k = xf.relu %x : tensor<1x1x4x3xf32>
      %o = xf.attention %q, %k, %x pattern(#xf.kernelized<feature = identity, normalizer = none>)
          relative(%t : tensor<1x7xf32>) : ..
      return %o : tensor<1x1x4x3xf32>
    }
    ```
  }];
}

def ExpandRankSumsPass : Pass<"xf-expand-rank-sums", "::mlir::func::FuncOp"> {
  let summary = "Write sums of ranks as messages, and kernels that add";
  let description = [{
    Writes `xf.all_reduce` and `xf.reduce_scatter` as ops that move parts, and sums of these in the order of ranks, which
    stand before what reads them. Of a sum of more than two ranks and 16 KiB each rank makes a part, if the ranks divide
    it, and the parts are gathered.

    Before `-xf-expand-rank-sums`:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
        %y = xf.all_reduce %x over ["data"] : tensor<6xf32>
        return %y : tensor<6xf32>
      }
    }
    ```
    After:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
        %r = xf.reshape %x : tensor<6xf32> to tensor<1x6xf32>
        %g = xf.all_gather %r dim 0 over ["data"] : tensor<1x6xf32> to tensor<2x6xf32>
        %y = xf.reduce sum %g axes [0] : tensor<2x6xf32> -> tensor<6xf32>
        return %y : tensor<6xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::xf::XfDialect"];
}

#endif // XF_COMPILER_EXPAND_PASSES_TD
