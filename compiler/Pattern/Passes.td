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
  let description = [{
    Adds to each attention op what kernels are built from: the attribute `solution`, the pattern as pieces with bounds,
    or `kernel_sum` for kernelised attention; and `family`, the pattern's name, for the names of kernels. Reports what
    it proves of patterns, and refuses empty ones.

    Before `-xf-solve-patterns`:
    ```mlir
    func.func @f(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
      %o = xf.attention %x, %x, %x pattern(#xf.causal)
        : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
      return %o : tensor<1x1x?x4xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
      %o = xf.attention %x, %x, %x pattern(#xf.causal) {family = "causal", solution = [#xf.solution<pieces = [
          #xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, upper = affine_map<(d0)[s0, s1] -> (d0)>,
                    query_lower = affine_map<(d0)[s0, s1] -> (d0)>>]>]}
        : (tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
      return %o : tensor<1x1x?x4xf32>
    }
    ```
  }];
}

#endif // XF_COMPILER_PATTERN_PASSES_TD
