//===- Passes.td - The tile stage --------------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_PASSES_TD
#define XF_COMPILER_TILE_PASSES_TD

include "compiler/Support/MachineOptions.td"

def TileProgramPass : Pass<"xf-tile-program", "::mlir::ModuleOp"> {
  let summary = "Turn functions on tensors into host programs that launch kernels";
  let description = [{
    Turns each function on tensors into a host program, whose results are arguments too, and the kernels that it
    launches, one for all launches of the same code. Chooses tiles by the model of the target. Views (reshape,
    transpose, slice, heads, broadcast) become memrefs with other strides. Runs on solved patterns, as the last pass on
    tensors.

    Before `-xf-tile-program=machine=x86-64-v3`:
    ```mlir
    func.func @f(%x: tensor<2x3xf32> {xf.name = "x"}) -> (tensor<2x3xf32> {xf.name = "y"}) {
      %y = xf.exp %x : tensor<2x3xf32>
      return %y : tensor<2x3xf32>
    }
    ```
    After:
    ```mlir
    func.func @f(%x: memref<2x3xf32> {xf.name = "x"}, %y: memref<2x3xf32> {xf.name = "y", xft.result = 0 : i64})
        attributes {xft.entry, ..} {
      %c6 = arith.constant 6 : index
      %c1 = arith.constant 1 : index
      %to = memref.reinterpret_cast %y to offset: [0], sizes: [1, 6], strides: [0, 1] : ..
      %from = memref.reinterpret_cast %x to offset: [0], sizes: [1, 6], strides: [0, 1] : ..
      xft.launch @exp_.. tiles(%c1) (%to, %from, %c1, %c6, %c1 : ..)
      return
    }
    func.func private @exp_..(%begin: i64, %end: i64, %scratch: !llvm.ptr, %y: memref<?x?xf32, strided<[?, 1]>>,
                              %x: memref<?x?xf32, strided<[?, 1]>>, %rows: index, %columns: index, %blocks: index)
        attributes {xft.kernel} {
      xft.rows outer(%rows) columns(%columns) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.cols ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
        ^bb0(%column: i64, %e: f32):
          %r = math.exp %e : f32
          xft.yield %r : f32
        }
      }
      return
    }
    ```
  }];
  // The tile model comes from a registry of targets, which lies above this stage (Passes.h).
  let constructor = "::mlir::xf::createTileProgramPass(modelOf)";
  let options = machineOptions;
}

def DescribeStepsPass : Pass<"xf-describe-steps", "::mlir::ModuleOp"> {
  let summary = "Name kernels after what they compute, and record the work of steps";
  let description = [{
    Replaces the hash in the name of a kernel by what its body says - the epilogue of a product, the keys that queries
    see - and by what launches it: the entry, the name of the op's location, the family of its pattern. Kernels that
    would have one name are numbered. Records at each step its FLOP, known for products and attention,
    and the bytes of its operands, where sizes are static. Runs behind xf-tile-program.

    Before `-xf-describe-steps`:
    ```mlir
    func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      xft.launch @layer_norm_60a1adc01903fddc tiles(%one) (%x, %y : memref<2x3xf32>, memref<2x3xf32>)
      return
    }
    func.func private @layer_norm_60a1adc01903fddc(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<2x3xf32>,
                                                   %y: memref<2x3xf32>) attributes {xft.kernel} {
      return
    }
    ```
    After:
    ```mlir
    func.func @f(%x: memref<2x3xf32>, %y: memref<2x3xf32>) attributes {xft.entry} {
      %one = arith.constant 1 : index
      xft.launch @layer_norm_f tiles(%one) (%x, %y : memref<2x3xf32>, memref<2x3xf32>) {xft.bytes = 4.800000e+01 : f64}
      return
    }
    func.func private @layer_norm_f(..) attributes {xft.kernel} {
      return
    }
    ```
  }];
}

#endif // XF_COMPILER_TILE_PASSES_TD
