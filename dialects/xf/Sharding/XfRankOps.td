//===- XfRankOps.td - What ranks send each other ------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of a program for one rank of the module's xf.mesh. Every rank runs the same ops on its own values. A *group* is
// the ranks whose places in the mesh differ only along the axes that an op lists. It is in the order of these places,
// and the last axis runs fastest. An op connects a rank with the other ranks of its group. *Part* p of a dimension is
// what member p of the group has of it: range p of as many equal ranges as the group has ranks.
//
//===----------------------------------------------------------------------===//

#ifndef XF_RANK_OPS_TD
#define XF_RANK_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

/// An op between ranks, with one result y of the element type of x.
class RankOp<string m, list<Trait> t = []> : Xf_Op<m, !listconcat([Pure], t)> {
  let results = (outs Xf_Tensor:$y);
  let hasVerifier = 1;
}

def Xf_AllReduceOp : RankOp<"all_reduce", [AllTypesMatch<["x", "y"]>, Factors<"* -> *">]> {
  let summary = "the sum of all ranks' x, on each of them";
  let description = [{
    Returns y = x_0 + x_1 + .. of the ranks of the group, added in their order, so that all have the same bits. Summands have
    no 16-bit elements, which would lose what is small beside the sum.

    C1 axes of the module's mesh, at least one, each once and in the mesh's order.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2, "tensor" = 4>} {
      func.func @sum(%x: tensor<3xf32>) -> tensor<3xf32> {
        %y = xf.all_reduce %x over ["data"] : tensor<3xf32>
        return %y : tensor<3xf32>
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$x, StrArrayAttr:$axes);
  let assemblyFormat = "$x `over` $axes attr-dict `:` type($x)";
}

def Xf_ScanStatesOp : RankOp<"scan_states", [AllTypesMatch<["x", "y"]>, Factors<"* -> *">]> {
  let summary = "the sum of the x of the ranks before this one, or behind it";
  let description = [{
    Returns y = x_0 + .. + x_(p - 1), p being the rank's place in its group, and 0 on the first; with `reverse`
    y = x_(p + 1) + x_(p + 2) + .., and 0 on the last. What other ranks have does not matter, were it not finite. Sums are
    made in a fixed order.

    C1 axes as in xf.all_reduce.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
      func.func @before(%state: tensor<2x16x17xf32>) -> tensor<2x16x17xf32> {
        %y = xf.scan_states %state over ["sequence"] : tensor<2x16x17xf32>
        return %y : tensor<2x16x17xf32>
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$x, StrArrayAttr:$axes, UnitAttr:$reverse);
  let assemblyFormat = "(`reverse` $reverse^)? $x `over` $axes attr-dict `:` type($x)";
}

def Xf_ReduceScatterOp : RankOp<"reduce_scatter", [FactorsBy<["getResultSizes"]>]> {
  let summary = "a rank's part of the sum of all ranks' x";
  let description = [{
    Returns part p, along dimension `dim`, of what xf.all_reduce returns, p being the rank's place in its group.

    C1 axes as in xf.all_reduce. C2 `dim` is a dimension of x, whose size the ranks of the group divide; y has the quotient
    there and otherwise the shape of x. C3 one element type.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
      func.func @scatter(%x: tensor<4x3xf32>) -> tensor<2x3xf32> {
        %y = xf.reduce_scatter %x dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
        return %y : tensor<2x3xf32>
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$x, I64Attr:$dim, StrArrayAttr:$axes);
  let assemblyFormat = "$x `dim` $dim `over` $axes attr-dict `:` type($x) `to` type($y)";
}

def Xf_AllGatherOp : RankOp<"all_gather", [FactorsBy<["getResultSizes"]>]> {
  let summary = "the parts of all ranks, one after the other";
  let description = [{
    Returns y whose part p, along dimension `dim`, is the x of rank p of the group. With `zigzag m` it is m chunks, which
    lie in y as #xf.sharding says.

    C1 axes as in xf.all_reduce. C2 `dim` is a dimension of x; y has its size times the ranks of the group there, and
    otherwise the shape of x. C3 one element type. C4 chunks as in #xf.sharding, which divide the size of x.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @gather(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
        %y = xf.all_gather %x dim 0 over ["sequence"] : tensor<2x3xf32> to tensor<4x3xf32>
        return %y : tensor<4x3xf32>
      }
    }
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, I64Attr:$dim, StrArrayAttr:$axes, DefaultValuedAttr<I64Attr, "1">:$chunks);
  let assemblyFormat = "$x `dim` $dim `over` $axes (`zigzag` $chunks^)? attr-dict `:` type($x) `to` type($y)";
}

def Xf_AllSliceOp : RankOp<"all_slice", [FactorsBy<["getResultSizes"]>]> {
  let summary = "a rank's part of what all ranks have";
  let description = [{
    Returns part p of x along dimension `dim`, p being the rank's place in its group. With `zigzag m` the part is m chunks,
    which lie in x as #xf.sharding says. Nothing travels.

    C1 axes as in xf.all_reduce. C2 dimension and shapes as in xf.reduce_scatter. C3 one element type. C4 chunks as in
    #xf.sharding, which divide the size of y.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"tensor" = 2>} {
      func.func @slice(%x: tensor<4x3xf32>) -> tensor<2x3xf32> {
        %y = xf.all_slice %x dim 0 over ["tensor"] : tensor<4x3xf32> to tensor<2x3xf32>
        return %y : tensor<2x3xf32>
      }
    }
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, I64Attr:$dim, StrArrayAttr:$axes, DefaultValuedAttr<I64Attr, "1">:$chunks);
  let assemblyFormat = "$x `dim` $dim `over` $axes (`zigzag` $chunks^)? attr-dict `:` type($x) `to` type($y)";
}

def Xf_AllToAllOp : RankOp<"all_to_all", [FactorsBy<["getResultSizes"]>]> {
  let summary = "parts of one dimension become parts of another";
  let description = [{
    Returns y whose part s, along dimension `join`, is part p along dimension `split` of the x of rank s of the group, p
    being the rank's place in it: x was sharded over the axes along `join`, and y is along `split`.

    C1 axes as in xf.all_reduce. C2 `split` and `join` are two dimensions of x. The ranks of the group divide the size of the
    first; y has the quotient there, the size of the second times the ranks, and otherwise the shape of x. C3 one element
    type.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @heads(%x: tensor<1x4x8x16xf32>) -> tensor<1x2x16x16xf32> {
        %y = xf.all_to_all %x split 1 join 2 over ["sequence"] : tensor<1x4x8x16xf32> to tensor<1x2x16x16xf32>
        return %y : tensor<1x2x16x16xf32>
      }
    }
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, I64Attr:$split, I64Attr:$join, StrArrayAttr:$axes);
  let assemblyFormat = "$x `split` $split `join` $join `over` $axes attr-dict `:` type($x) `to` type($y)";
}

def Xf_ExchangeRowsOp : RankOp<"exchange_rows", [AttrSizedOperandSegments, FactorsBy<["getResultSizes"]>]> {
  let summary = "the keys that a rank's queries see, from the ranks that have them";
  let description = [{
    x BxHxnxD is part p along dimension 2 of the keys (or values) of an attention, q part p of its queries, p being the
    rank's place in its group of P; the attention has pairs among those of `plan`, numbers that xfrt_tables::plans describes.
    The first number says how many chunks a part has, which lie as #xf.sharding says.
    With `segments`, of all queries and of all keys, BxPm and BxPn, those pairs of the plan count alone whose numbers are
    equal and not negative.
    Returns y BxHxPnxD: its part p is x, and so are of other parts those keys that some query of q sees.
    What else there is, is undefined.

    C1 axes as in xf.all_reduce. C2 x and q of rank 4, y with the third size of x times the ranks and otherwise the shape of
    x. C3 one element type of x and y. C4 a plan, as xfrt_tables::plans describes, whose first number is one of chunks as in
    #xf.sharding, which divide the third sizes of x and q. C5 both segments or none, as many as B times all queries, and all
    keys.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @halo(%k: tensor<1x4x8x16xf32>, %q: tensor<1x4x8x16xf32>) -> tensor<1x4x16x16xf32> {
        %y = xf.exchange_rows %k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
          over ["sequence"] : tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32> to tensor<1x4x16x16xf32>
        return %y : tensor<1x4x16x16xf32>
      }
    }
    ```
  }];
  let arguments = (ins Xf_Tensor:$x, Xf_Tensor:$q, Optional<Xf_IdTensor>:$segments_q, Optional<Xf_IdTensor>:$segments_k,
      DenseI64ArrayAttr:$plan, StrArrayAttr:$axes);
  let assemblyFormat = [{
    $x `for` $q (`segments` `(` $segments_q^ `,` $segments_k `:` type($segments_q) `,` type($segments_k) `)`)? `plan` $plan
    `over` $axes attr-dict `:` type($x) `,` type($q) `to` type($y)
  }];
}

def Xf_ReturnReduceOp : RankOp<"return_reduce", [AttrSizedOperandSegments, FactorsBy<["getResultSizes"]>]> {
  let summary = "the sum of what ranks have for a rank's keys";
  let description = [{
    The transpose of xf.exchange_rows: x BxHxPnxD has what a rank computed for all keys, y BxHxnxD part p of the sum of the x
    of all ranks, in a fixed order. Of each x those keys count that the rank owns or that some query of its q sees.

    C1 axes as in xf.all_reduce. C2 x and q of rank 4, y with the third size of x, which the ranks divide, over the ranks, and
    otherwise the shape of x. C3 one element type of x and y, f32 or f64. C4 a plan and C5 segments as in xf.exchange_rows.

    ```mlir
    module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
      func.func @sum(%d_k: tensor<1x4x16x16xf32>, %q: tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32> {
        %y = xf.return_reduce %d_k for %q plan [1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]
          over ["sequence"] : tensor<1x4x16x16xf32>, tensor<1x4x8x16xf32> to tensor<1x4x8x16xf32>
        return %y : tensor<1x4x8x16xf32>
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$x, Xf_Tensor:$q, Optional<Xf_IdTensor>:$segments_q,
      Optional<Xf_IdTensor>:$segments_k, DenseI64ArrayAttr:$plan, StrArrayAttr:$axes);
  let assemblyFormat = [{
    $x `for` $q (`segments` `(` $segments_q^ `,` $segments_k `:` type($segments_q) `,` type($segments_k) `)`)? `plan` $plan
    `over` $axes attr-dict `:` type($x) `,` type($q) `to` type($y)
  }];
}

#endif // XF_RANK_OPS_TD
