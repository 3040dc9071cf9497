//===- XfSelectionOps.td - Elements by order and index ------------- -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_SELECTION_OPS_TD
#define XF_SELECTION_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

def Xf_TopKOp : Xf_Op<"top_k", [Pure, Factors<"*D -> *K, *K", ["getResultSizes"]>]> {
  let summary = "the first k elements of each row in order, and their columns";
  let description = [{
    Returns, for each row of x, the k largest elements as `values`, the largest first, or, with `smallest`, the k
    smallest ones, the smallest first, and the columns of x that hold them as `indices`. Equal elements have the order of their columns.
    NaN counts as larger than every number. k is the last size of `values`: one of all columns sorts the rows.

    C1 x has a dimension; values and indices have its shape but for the last dimension, which has one size k in both:
    static and at most that of x, or dynamic and then that of x. C2 x and values have one element type.

    ```mlir
    %values, %indices = xf.top_k %x : tensor<2x9xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, UnitAttr:$smallest);
  let results = (outs Xf_FloatTensor:$values, Xf_IdTensor:$indices);
  let assemblyFormat = "$x (`smallest` $smallest^)? attr-dict `:` type($x) `->` type($values) `,` type($indices)";
  let hasVerifier = 1;
}
def Xf_TakeAlongOp : Xf_Op<"take_along", [Pure, Factors<"*D, *K -> *K">]> {
  let summary = "y[.., n] = x[.., indices[.., n]], in the same row";
  let description = [{
    Returns y with y[.., n] = x[.., indices[.., n]]. A call refuses indices outside the columns of x.

    C1 x has a dimension; indices and y have its shape but for the last dimension, which has one size in both. C2 x and
    y have one element type.

    ```mlir
    %y = xf.take_along %x, %indices : tensor<2x9xf32>, tensor<2x3xi64> -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_IdTensor:$indices);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` type($x) `,` type($indices) `->` type($y)";
  let hasVerifier = 1;
}
def Xf_TakeAlongVjpOp : Xf_Op<"take_along_vjp", [Pure, AllTypesMatch<["x", "d_x"]>, Factors<"*D, *K, *K -> *D">]> {
  let summary = "gradient of take_along: sums of d_y by column, in their order";
  let description = [{
    Returns d_x[.., c] = sum of d_y[.., n] over the n with indices[.., n] = c, in their order, and 0 where there is none.
    `distinct` says that the indices of each row differ, as those of xf.top_k do.

    C1 x has a dimension; indices and d_y have its shape but for the last dimension, which has one size in both. C2 d_y
    and d_x have one element type.

    ```mlir
    %d_x = xf.take_along_vjp %x, %indices, %d_y : tensor<2x9xf32>, tensor<2x3xi64>, tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, Xf_IdTensor:$indices, Xf_FloatTensor:$d_y, UnitAttr:$distinct);
  let results = (outs Xf_FloatTensor:$d_x);
  let assemblyFormat = "$x `,` $indices `,` $d_y (`distinct` $distinct^)? attr-dict `:` type($x) `,` type($indices) `,` type($d_y)";
  let hasVerifier = 1;
}
def Xf_AddAtOp : Xf_Op<"add_at", [Pure, AllTypesMatch<["initial", "y"]>, FactorsBy<["getFactorRow"]>]> {
  let summary = "y = initial, to a part of which x is added";
  let description = [{
    Returns y with y[offset + stride n] = initial[offset + stride n] + x[n] in each dimension, and the elements of
    `initial` elsewhere. If nothing reads `initial` afterwards, only the part is written: so sums of parts of one
    tensor, as the gradients of its slices are, cost no more than the parts. An offset may be a size.

    C1 one offset >= 0 and one stride >= 1 per dimension of x and y. C2 the last element of x lies in y. C3 one element
    type, which is not i1.

    ```mlir
    %y = xf.add_at %initial, %x offsets [2, 1] strides [1, 2] : tensor<4x6xf32>, tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$initial, Xf_Tensor:$x, DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$strides,
                       OptionalAttr<Xf_SizesAttr>:$starts);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = [{
    $initial `,` $x `offsets` custom<Positions>($offsets, $starts) `strides` $strides attr-dict `:` type($y) `,` type($x)
  }];
  let hasVerifier = 1;
}
def Xf_IotaOp : Xf_Op<"iota", [Pure, SameOperandsAndResultType, Factors<"*D -> *D">]> {
  let summary = "y[.., n] = n";
  let description = [{
    Returns y with y[.., n] = n. x gives no more than the shape.

    C1 x has a dimension.

    ```mlir
    %y = xf.iota %x : tensor<2x3xi64>
    ```
  }];
  let arguments = (ins RankedTensorOf<[I64]>:$x);
  let results = (outs RankedTensorOf<[I64]>:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}
def Xf_CumsumOp : Xf_Op<"cumsum", [Pure, SameOperandsAndResultType, Factors<"*D -> *D">]> {
  let summary = "y[.., n] = x[.., 0] + .. + x[.., n]";
  let description = [{
    Returns y with y[.., n] = the sum of x[.., m] over m <= n or, with `reverse`, over m >= n. No other element of x
    changes it, be it NaN. Sums of floats are in f64 and then rounded; those of integers wrap around.

    C1 x has a dimension.

    ```mlir
    %y = xf.cumsum %x : tensor<2x9xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Xf_FloatTensor, Xf_IdTensor]>:$x, UnitAttr:$reverse);
  let results = (outs AnyTypeOf<[Xf_FloatTensor, Xf_IdTensor]>:$y);
  let assemblyFormat = "$x (`reverse` $reverse^)? attr-dict `:` type($x)";
  let hasVerifier = 1;
}

#endif // XF_SELECTION_OPS_TD
