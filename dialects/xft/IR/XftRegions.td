//===- XftRegions.td - Regions on one element ----------------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Epilogues, element maps and score modifications are regions of scalar `arith` and `math` ops, which compute one
// element. A CPU target clones such a region for a register of elements, a GPU target for the one element of a thread.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_REGIONS_TD
#define XFT_REGIONS_TD

include "dialects/xft/IR/XftDialect.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Xft_YieldOp : Xft_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "the scalars that a region on one element computes";
  let description = [{
    Ends the regions of xft.contract, xft.cols, xft.scan and xft.scan_vjp.

    ```mlir
    func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %table: memref<?x?xf32, strided<[?, 1]>>,
                         %y: memref<?x?xf32, strided<[?, 1]>>, %n: index, %d: index, %blocks: index) attributes {xft.kernel} {
      xft.rows outer(%n) columns(%d) blocks(%blocks) {
      ^bb0(%row: i64):
        xft.cols ins(%table : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
        ^bb0(%column: i64, %e: f32):
          %s = arith.mulf %e, %e : f32
          xft.yield %s : f32
        }
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build(odsBuilder, odsState, ::mlir::ValueRange()); }]>];
}

#endif // XFT_REGIONS_TD
