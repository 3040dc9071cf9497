//===- XfDims.td - Names and ranges of dynamic dimensions ---*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIMS_TD
#define XF_DIMS_TD

include "dialects/xf/IR/XfDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Xf_DimAttr : AttrDef<Xf_Dialect, "Dim"> {
  let mnemonic = "dim";
  let summary = "a dynamic dimension's name and range, in the array xf.dims of a function's argument or result";
  let description = [{
    C1 0 <= min <= max. C2 xf.dims has one per `?` of the type, in order.

    ```mlir
    func.func private @f(%x: tensor<?x8xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 64>]})
    ```
  }];
  let parameters = (ins StringRefParameter<"shared by dimensions that are equal at run time">:$name, "int64_t":$min,
                        "int64_t":$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // XF_DIMS_TD
