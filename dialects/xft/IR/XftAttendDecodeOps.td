//===- XftAttendDecodeOps.td - Attention of few rows ----- -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ATTEND_DECODE_OPS_TD
#define XFT_ATTEND_DECODE_OPS_TD

include "dialects/xft/IR/XftAttendAttributes.td"

def Xft_DecodeTile : AttrDef<Xft_Dialect, "DecodeTile"> {
  let mnemonic = "decode_tile";
  let summary = "registers, blocks and slices of attention with few rows";
  let description = [{
    Products keep at most `sums` registers of `lanes` elements as sums. The weights of a block of `keys` keys (a multiple of
    `lanes`) are computed before their values are added. A slice, all keys of one task, has `slice` keys (a multiple of
    `keys`).

    With `operand`, a 16-bit element type, numbers have this type where they enter a product; else that of sums. Weights are
    rounded to it.
  }];
  let parameters = (ins "int64_t":$sums, "int64_t":$lanes, "int64_t":$keys, "int64_t":$slice,
                        OptionalParameter<"::mlir::Type">:$operand);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Xft_AttendDecodeOp : Xft_Op<"attend_decode", [AttrSizedOperandSegments]> {
  let summary = "xft.attend for few rows, which reads keys and values once, as they lie";
  let description = [{
    What xft.attend computes for pieces whose rows see intervals of keys. A task computes all rows of a head, so that k
    and v are read once; scores are sums along rows of k, of which nothing is packed or transposed before.

    The grid is (b, t). With `save` it is (b, t, s): task s computes keys [s slice, (s + 1) slice) alone and leaves its m,
    l and unnormalised o at index s of the row state, for xft.merge_slices. m is -inf, and l 0, for a row that sees no key
    of the slice.

    C1 q, k, v, o BxHxNxD with unit inner strides and static D, D of a register at least; static N of q and o. C2 pieces
    with identity maps, without tiles. C3 `keys` a multiple of `lanes`, `slice` of `keys`. C4 with `save`, m and l SxBxHxN
    and an accumulator SxBxHxNxDv, and neither lse nor `kept`; without, no such buffers. C5 data, captures and seed are
    empty, and so is what uses them. C6 `operand` of the tile is a 16-bit float, the element type of q, k and v.

    ```mlir
    xft.attend_decode %q, %x, %x to %q
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        weights <scale = 0.125> tile <sums = 8, lanes = 8, keys = 64, slice = 1024>
        : memref<?x?x4x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x4x64xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o), Xft_RowState, Xft_AttendClauses,
      (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_DecodeTile:$tile, UnitAttr:$save));
  let assemblyFormat = [{
    $q `,` $k `,` $v `to` $o custom<RowState>($state, type($state)) custom<AttendClauses>($clauses, type($clauses))
    `order` $order `weights` $weights `tile` $tile (`save` $save^)? attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, Xft_RowStateAccessors);
}

def Xft_MergeSlicesOp : Xft_Op<"merge_slices", []> {
  let summary = "o = sum of weights v / sum of weights, from the sums of slices of keys";
  let description = [{
    For each row, from the m(s), l(s) and unnormalised o(s) that xft.attend_decode leaves of slices s, added in order:

        m = max m(s),   l = sum exp(m(s) - m) l(s),   o = sum exp(m(s) - m) o(s) / l

    A row without keys gives o = 0, lse = -inf. The grid is (b, h, row).

    C1 o BxHxNxDv with unit inner stride and static Dv. C2 m and l SxBxHxN, an accumulator
    SxBxHxNxDv with unit inner stride.

    ```mlir
    xft.merge_slices to %o sums(%m, %m : memref<?x?x?x?xf32>, memref<?x?x?x?xf32>) accumulator(%parts : memref<?x?x?x?x64xf32>)
        : memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$o), Xft_RowState);
  let assemblyFormat = "`to` $o custom<RowState>($state, type($state)) attr-dict `:` type($o)";
  let hasVerifier = 1;
  let extraClassDeclaration = Xft_RowStateAccessors;
}

#endif // XFT_ATTEND_DECODE_OPS_TD
