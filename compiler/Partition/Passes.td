//===- Passes.td - The partition stage ---------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PASSES_TD
#define XF_COMPILER_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateShardingsPass : Pass<"xf-propagate-shardings", "::mlir::ModuleOp"> {
  let summary = "Propagate shardings from arguments to results: which ranks have which part of each value";
  let description = [{
    Adds to each op the attribute `shardings` of its results, and `sums`: the axes over which the ranks' results are summands.
    Reports each operand that has to be gathered because the op needs it whole, and refuses arguments that are sharded over
    different axes where they meet. Only sets attributes, and nothing in a module without `xf.mesh`.

    Before `-xf-propagate-shardings`:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<4x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {} ]>}, %w: tensor<5x3xf32>) -> tensor<5xf32> {
        %y = xf.linear %x, %w : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
        %s = xf.reduce sum %y axes [0] : tensor<4x5xf32> -> tensor<5xf32>
        return %s : tensor<5xf32>
      }
    }
    ```
    After:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<4x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {} ]>}, %w: tensor<5x3xf32>) -> tensor<5xf32> {
        %y = xf.linear %x, %w {shardings = [#xf.sharding<[{"data"}, {} ]>]} : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
        %s = xf.reduce sum %y axes [0] {sums = [["data"]]} : tensor<4x5xf32> -> tensor<5xf32>
        return %s : tensor<5xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"errorOnReshard", "error-on-reshard", "bool", /*default=*/"false",
           "an operand that has to be gathered is an error, not a remark">,
  ];
}

def TakeSharePass : Pass<"xf-take-share", "::mlir::ModuleOp"> {
  let summary = "Take the share of one rank: tensors of its sizes, and what ranks send each other as ops";
  let description = [{
    Rewrites each function to what every rank runs, and marks it with `xf.share`. Runs behind xf-propagate-shardings, whose
    attributes it takes away. Changes nothing in a module without `xf.mesh`.

    Before `-xf-take-share`:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<4x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {} ]>}, %w: tensor<5x3xf32>) -> tensor<5xf32> {
        %y = xf.linear %x, %w : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
        %s = xf.reduce sum %y axes [0] : tensor<4x5xf32> -> tensor<5xf32>
        return %s : tensor<5xf32>
      }
    }
    ```
    After:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @f(%x: tensor<2x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {} ]>}, %w: tensor<5x3xf32>) -> tensor<5xf32> attributes {xf.share} {
        %y = xf.linear %x, %w : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x5xf32>
        %p = xf.reduce sum %y axes [0] : tensor<2x5xf32> -> tensor<5xf32>
        %s = xf.all_reduce %p over ["data"] : tensor<5xf32>
        return %s : tensor<5xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"errorOnReshard", "error-on-reshard", "bool", /*default=*/"false",
           "an op that every rank has to compute as a whole is an error, not a remark">,
    Option<"sharesQueries", "shares-queries", "bool", /*default=*/"true",
           "ranks may share the queries of an attention, for a part of which the target has kernels">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::xf::XfDialect"];
}

def RepeatExchangesPass : Pass<"xf-repeat-exchanges", "::mlir::func::FuncOp"> {
  let summary = "Send keys again for a gradient, in place of keeping those of all ranks";
  let description = [{
    Gives each `xf.attention_vjp` exchanges of its own where an op before it reads all ranks' keys, unless these are few bytes.

    Before `-xf-repeat-exchanges=kept-bytes=0`:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @f(%q: tensor<1x1x2x4xf32>, %k: tensor<1x1x2x4xf32>, %do: tensor<1x1x2x4xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x4x4xf32> {
        %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32> to tensor<1x1x4x4xf32>
        %o:2 = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x1x2xf32>)
        %d:3 = xf.attention_vjp %q, %all, %all, %o#0, %o#1, %do pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2xf32>, tensor<1x1x2x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>)
        return %d#1 : tensor<1x1x4x4xf32>
      }
    }
    ```
    After:
    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @f(%q: tensor<1x1x2x4xf32>, %k: tensor<1x1x2x4xf32>, %do: tensor<1x1x2x4xf32>, %p: tensor<1x2xi64>) -> tensor<1x1x4x4xf32> {
        %all = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32> to tensor<1x1x4x4xf32>
        %o:2 = xf.attention %q, %all, %all pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x1x2xf32>)
        %again = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0] over ["sequence"] : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32> to tensor<1x1x4x4xf32>
        %d:3 = xf.attention_vjp %q, %again, %again, %o#0, %o#1, %do pattern(#xf.dense) part(%p : tensor<1x2xi64>) : (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2xf32>, tensor<1x1x2x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>)
        return %d#1 : tensor<1x1x4x4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"keptBytes", "kept-bytes", "int64_t", /*default=*/"4 << 20",
           "keys of all ranks that are so many bytes at most are kept">,
  ];
}

#endif // XF_COMPILER_PARTITION_PASSES_TD
