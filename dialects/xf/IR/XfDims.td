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
    C1 0 <= min <= max. C2 xf.dims has one (or an #xf.size) per `?` of the type, in order.

    ```mlir
    func.func private @f(%x: tensor<?x8xf32> {xf.dims = [#xf.dim<name = "batch", min = 1, max = 64>]})
    ```
  }];
  let parameters = (ins StringRefParameter<"shared by dimensions that are equal at run time">:$name, "int64_t":$min,
                        "int64_t":$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Xf_SizeAttr : AttrDef<Xf_Dialect, "Size"> {
  let mnemonic = "size";
  let summary = "what a `?` is: a polynomial of named sizes and of floor quotients by numbers";
  let description = [{
    Stands in xf.dims where a size is computed from named ones, and in the `sizes` and `starts` of ops. Names are those of
    #xf.dim, and ARGUMENT.DIMENSION for a dimension without a name ("x.0"). Equal polynomials are one attribute.

    C1 numbers of 64 bits, divisors of at least 1.

    ```mlir
    func.func private @f(%x: tensor<?xf32> {xf.dims = [#xf.dim<name = "n", min = 1, max = 64>]})
      -> (tensor<?xf32> {xf.dims = [#xf.size<2 * (n / 4) + n + 1>]})
    ```
  }];
  let parameters = (ins AttrParameter<"::mlir::xf::SizeExpression", "">:$expression);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // XF_DIMS_TD
