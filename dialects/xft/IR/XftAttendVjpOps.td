//===- XftAttendVjpOps.td - Gradients of attention as kernels -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradients of attention. s, P, k and the pairs (i, j) of a piece are as for xft.attend (#xft.weights,
// #xft.query_order). Let
//
//     P(i, j) = exp(s(i, j) - lse(0, i) - lse(1, i)),   dP(i, j) = k <d_o(i), v(j)> - delta(i),   dS = P dP ds/d<q,k>
//
// Then
//
//     d_v(j) += sum_i k P(i, j) d_o(i),   d_k(j) += sum_i dS(i, j) q(i),   d_q(i) += sum_j dS(i, j) k(j)
//
// Without dropout, k = 1. The value of a dropped pair is not observable. lse has two parts, m and log l as xft.attend
// keeps them, because their sum would lose log l if scores are large. A row with m = -inf adds nothing, nor does a pair
// outside of the piece, whatever its operands hold. With linear weights, P = s, dS = dP f without the factor P, and lse
// and delta are zeros. Every sum runs in a fixed order.
//
// The region `score`, if there is one, yields s. The region `derivative` has the same arguments. It yields s, f =
// ds/d<q,k> and, for each read of a captured tensor, the indices of the element and g = ds/d(element). P dP g is then
// added to this element of the buffer of d_captures that `reads` names. The leading dimensions of such a buffer are b
// and the group of heads. One of them has size 1 if tasks along it add to different elements.
//
// Gradients that one launch of a side assigns may have the element type of their matrices. Sums are then rounded to
// this type.
//
// Either one kernel computes all gradients, with five products for each pair. Or each *side* has a kernel. This takes
// two products more, but tasks share nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ATTEND_VJP_OPS_TD
#define XFT_ATTEND_VJP_OPS_TD

include "dialects/xft/IR/XftAttendAttributes.td"

def Xft_VjpSide : I32Enum<"VjpSide", "whose gradients a kernel computes", [
    I32EnumCase<"rows", 0>, I32EnumCase<"keys", 1>, I32EnumCase<"captures", 2>
  ]> {
  let cppNamespace = "::mlir::xft";
}

class Xft_Getter<string type, string name> : InterfaceMethod<"", type, name>;

def Xft_AttendVjpSide : OpInterface<"AttendVjpSide"> {
  let cppNamespace = "::mlir::xft";
  let description = [{
    A kernel of one side of a gradient: xft.attend_vjp_rows, attend_vjp_keys and attend_vjp_captures.
  }];
  let methods = [
    InterfaceMethod<"Returns the side.", "::mlir::xft::VjpSide", "getSide">,
    InterfaceMethod<"Returns the gradients of the side: d_q; d_k and d_v; d_captures.", "::mlir::ValueRange", "getGradients">,
    InterfaceMethod<"Returns the number of groups of heads, an index; null for rows.", "::mlir::Value", "getGroups">,
    InterfaceMethod<"Returns the number of blocks of queries or keys for each residue, an index.", "::mlir::Value", "getBlocks">,
    InterfaceMethod<"Returns the only residue to compute, an index; null for all.", "::mlir::Value", "getResidue">,
    InterfaceMethod<"Returns the flags of tiles (#xft.warpgroup_tiles); null without.", "::mlir::Value", "getFlags">,
    InterfaceMethod<"Returns true if gradients are assigned, not added to.", "bool", "getAssigns">,
    InterfaceMethod<"Returns, for each read of a captured tensor, the number of its gradient.", "::llvm::ArrayRef<int64_t>", "getReads">,
    Xft_Getter<"::mlir::Value", "getQ">, Xft_Getter<"::mlir::Value", "getK">, Xft_Getter<"::mlir::Value", "getV">,
    Xft_Getter<"::mlir::Value", "getDO">, Xft_Getter<"::mlir::Value", "getLse">, Xft_Getter<"::mlir::Value", "getDelta">,
    Xft_Getter<"::mlir::Value", "getLengths">, Xft_Getter<"::mlir::Value", "getQueryLengths">,
    Xft_Getter<"::mlir::OperandRange", "getSymbols">, Xft_Getter<"::mlir::OperandRange", "getData">,
    Xft_Getter<"::mlir::OperandRange", "getCaptures">, Xft_Getter<"::mlir::Value", "getSeed">,
    Xft_Getter<"::mlir::Value", "getPart">,
    Xft_Getter<"::mlir::xf::PieceAttr", "getPiece">, Xft_Getter<"std::optional<::mlir::xf::TilesAttr>", "getTiles">,
    Xft_Getter<"int64_t", "getFirstHead">, Xft_Getter<"int64_t", "getHeadStep">, Xft_Getter<"double", "getScale">,
    Xft_Getter<"std::optional<double>", "getDropout">, Xft_Getter<"bool", "getLinear">,
    Xft_Getter<"::mlir::xft::AttendTileAttr", "getTile">, Xft_Getter<"::mlir::xft::WarpgroupsAttr", "getWarpgroups">,
    Xft_Getter<"::mlir::Region &", "getScore">, Xft_Getter<"::mlir::Region &", "getDerivative">,
  ];
}

defvar Xft_VjpInputs = (ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$d_o, AnyMemRef:$lse, AnyMemRef:$delta);
defvar Xft_VjpInputFormat = "$q `,` $k `,` $v `,` $d_o `,` $lse `,` $delta `to` ";
defvar Xft_VjpClauseFormat = "custom<AttendClauses>($clauses, type($clauses)) ";
defvar Xft_VjpFlagsFormat = "(`flags` `(` $flags^ `:` type($flags) `)`)? ";
defvar Xft_VjpHowFormat = "`order` $order `schedule` $schedule `weights` $weights ";
defvar Xft_VjpRestFormat = [{
  (`score` $score^)? (`derivative` $derivative^)? attr-dict
  `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($lse) `,` type($delta)
}];
defvar Xft_VjpAccessors = !strconcat(Xft_AttendAccessors, Xft_ScheduleAccessors, [{
    ::mlir::xf::PieceAttr getPiece() { return getOrder().getPiece(); }
}]);

/// A kernel that computes gradients over one piece. Its operands are the inputs, `outputs`, the clauses of every op of
/// attention, and `rest`.
class Xft_AttendVjpBase<string mnemonic, dag outputs, dag rest, list<Trait> traits = []>
    : Xft_Op<mnemonic, !listconcat([AttrSizedOperandSegments], traits)> {
  let arguments = !con(Xft_VjpInputs, outputs, Xft_AttendClauses, rest,
                       (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_Schedule:$schedule));
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$derivative);
  let hasVerifier = 1;
}

def Xft_AttendVjpOp : Xft_AttendVjpBase<"attend_vjp",
    (ins VariadicOfVariadic<AnyMemRef, "gradient_sizes">:$gradients, DenseI32ArrayAttr:$gradient_sizes, Index:$groups),
    (ins DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$reads, UnitAttr:$assigns)> {
  let summary = "adds all gradients of attention over one piece";
  let description = [{
    The gradients at the head of this file. Keys stay, queries pass: five products for each block of pairs.

    The grid is (b, group of heads, r, slice): a task owns the rows of d_k and d_v of its heads, and the rows of its slice of
    d_q, which has one buffer for each; slices get key blocks in turn. If residues
    share keys or queries, or with d_captures, a task walks all of them. With `assigns` d_q, d_k and d_v are
    written, not added to: the piece's rows and keys are all there are.

    C1 q, k, v, d_o, d_q, d_k, d_v are rank 4 with unit inner stride and static D, Dv; gradients, lse, 2xBxHxNq, and delta
    have the type that is computed in. C2 one d_q at least; exactly one where the piece has residues; one d_k and d_v. C3
    blocks are multiples of the register tile. C4 `assigns` goes with one solution for all
    heads. C5 two `data` for each datum of a predicate. C6 linear weights go with a score region. C7 the schedule is
    #xft.register_tiles. C8 one piece. C9 `operand` of the schedule is a 16-bit float, the element type of q.

    ```mlir
    xft.attend_vjp %q, %k, %v, %d_o, %lse, %delta
        to d_q(%d_q : memref<?x?x?x64xf32>) d_k(%d_k : memref<?x?x?x64xf32>) d_v(%d_v : memref<?x?x?x64xf32>) groups %groups
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 96, keys = 96>>
        weights <scale = 0.125>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>
    ```
  }];
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, "custom<VjpGradients>($gradients, type($gradients)) `groups` $groups ", Xft_VjpClauseFormat, Xft_VjpHowFormat, "(`assigns` $assigns^)? (`reads` $reads^)? ", Xft_VjpRestFormat);
  let extraClassDeclaration = !strconcat(Xft_VjpAccessors, [{
    ::mlir::OperandRange getDQ() { return getGradients()[0]; }
    ::mlir::Value getDK() { return getGradients()[1][0]; }
    ::mlir::Value getDV() { return getGradients()[2][0]; }
    ::mlir::OperandRange getDCaptures() { return getGradients()[3]; }
    /// Returns the number of tasks among which the residues of the piece are divided. It is the number of residues if
    /// no two of them add to the same gradients. Otherwise it is 1, and a task walks all residues.
    int64_t getGridResidues();
  }]);
}

def Xft_AttendVjpRowsOp : Xft_AttendVjpBase<"attend_vjp_rows", (ins AnyMemRef:$d_q, Variadic<Index>:$grid),
    (ins Optional<AnyMemRef>:$flags, UnitAttr:$assigns), [Xft_AttendVjpSide]> {
  let summary = "adds the gradients of queries over one piece";
  let description = [{
    The gradients d_q at the head of this file: three products for each block of pairs.

    The grid is (b, t, r, block of queries), h = first_head + head_step t; the operands `grid` are the number of blocks
    and, where residues share queries, the only residue to compute, which is no part of the grid then. With `assigns`
    d_q is written, not added to. `flags` are those of #xft.warpgroup_tiles.

    C1 matrices as for xft.attend_vjp. C2 one piece. C3 blocks are multiples of the register tile. C4 one or two numbers
    in `grid`. C5 two `data` for each datum of a predicate. C6 linear weights go with a score region. C7 #xft.warp_tiles, with `flags` for `recheck`, or
    #xft.warpgroup_tiles, with `flags` and without it. C8 #xft.warpgroup_tiles go without
    linear weights. C9 `assigns` goes with one solution for all heads.

    ```mlir
    xft.attend_vjp_rows %q, %k, %v, %d_o, %lse, %delta to %d_q grid(%blocks)
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
        weights <scale = 0.125>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, "$d_q `grid` `(` $grid `)` ", Xft_VjpClauseFormat, Xft_VjpFlagsFormat, Xft_VjpHowFormat, "(`assigns` $assigns^)? ", Xft_VjpRestFormat, "`,` type($d_q)");
  let extraClassDeclaration = !strconcat(Xft_VjpAccessors, [{
    static VjpSide getSide() { return VjpSide::rows; }
    ::mlir::ValueRange getGradients() { return (*this)->getOperands().slice(6, 1); }
    ::mlir::Value getGroups() { return {}; }
    ::mlir::Value getBlocks() { return getGrid()[0]; }
    ::mlir::Value getResidue() { return getGrid().size() > 1 ? getGrid()[1] : ::mlir::Value(); }
    ::llvm::ArrayRef<int64_t> getReads() { return {}; }
  }]);
}

def Xft_AttendVjpKeysOp : Xft_AttendVjpBase<"attend_vjp_keys", (ins AnyMemRef:$d_k, AnyMemRef:$d_v, Variadic<Index>:$grid),
    (ins Optional<AnyMemRef>:$flags, UnitAttr:$assigns), [Xft_AttendVjpSide]> {
  let summary = "adds the gradients of keys and values over one piece";
  let description = [{
    The gradients d_k and d_v at the head of this file: four products for each block of pairs.

    The grid is (b, group of heads, r, block of keys); the operands `grid` are the number of groups, the number of blocks
    and, where residues share keys, the only residue to compute, which is no part of the grid then. With `assigns` d_k and
    d_v are written, not added to. `flags` are those of #xft.warpgroup_tiles.

    C1 matrices as for xft.attend_vjp. C2 one piece. C3 blocks are multiples of the register tile. C4 two or three
    numbers in `grid`. C5 two `data` for each datum of a predicate. C6 linear weights go with a score region. C7 #xft.warp_tiles,
    with `flags` for `recheck`, or #xft.warpgroup_tiles, with `flags` and without it. C8 #xft.warpgroup_tiles go without
    linear weights. C9 `assigns` goes with one solution for all heads.

    ```mlir
    xft.attend_vjp_keys %q, %k, %v, %d_o, %lse, %delta to %d_k, %d_v grid(%groups, %blocks)
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
        weights <scale = 0.125>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, "$d_k `,` $d_v `grid` `(` $grid `)` ", Xft_VjpClauseFormat, Xft_VjpFlagsFormat, Xft_VjpHowFormat, "(`assigns` $assigns^)? ", Xft_VjpRestFormat, "`,` type($d_k) `,` type($d_v)");
  let extraClassDeclaration = !strconcat(Xft_VjpAccessors, [{
    static VjpSide getSide() { return VjpSide::keys; }
    ::mlir::ValueRange getGradients() { return (*this)->getOperands().slice(6, 2); }
    ::mlir::Value getGroups() { return getGrid()[0]; }
    ::mlir::Value getBlocks() { return getGrid()[1]; }
    ::mlir::Value getResidue() { return getGrid().size() > 2 ? getGrid()[2] : ::mlir::Value(); }
    ::llvm::ArrayRef<int64_t> getReads() { return {}; }
  }]);
}

def Xft_AttendVjpCapturesOp : Xft_AttendVjpBase<"attend_vjp_captures", (ins Variadic<AnyMemRef>:$d_captures, Variadic<Index>:$grid),
    (ins DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$reads), [Xft_AttendVjpSide]> {
  let summary = "adds the gradients of captured tensors over one piece";
  let description = [{
    The gradients d_captures at the head of this file, of pairs in the order of rows.

    The grid is (b, group of heads); the operands `grid` are the number of groups and the number of blocks of queries for
    each residue, all of which a task walks.

    C1 matrices as for xft.attend_vjp. C2 one piece. C3 blocks are multiples of the register tile. C4 two numbers in
    `grid`. C5 two `data` for each datum of a predicate. C6 a derivative region; `reads` numbers d_captures. C7 the
    schedule is #xft.warp_tiles without `recheck`.

    ```mlir
    xft.attend_vjp_captures %q, %k, %v, %d_o, %lse, %delta to d_captures(%d_bias : memref<?x?x?x?xf32>) grid(%groups, %blocks)
        captures(%bias : memref<?x?xf32>)
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        schedule #xft.warp_tiles<tile = #xft.attend_tile<rows = 16, registers = 2, lanes = 8, queries = 64, keys = 64>>
        weights <scale = 0.125>
        reads [0] score {
        ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
          %e = tensor.extract %t[%i, %j] : tensor<?x?xf32>
          %r = arith.addf %s, %e : f32
          xf.yield %r : f32
        } derivative {
        ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<?x?xf32>):
          %one = arith.constant 1.0 : f32
          %e = tensor.extract %t[%i, %j] : tensor<?x?xf32>
          %r = arith.addf %s, %e : f32
          xf.yield %r, %one, %i, %j, %one : f32, f32, index, index, f32
        }
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>
    ```
  }];
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, "`d_captures` `(` $d_captures `:` type($d_captures) `)` `grid` `(` $grid `)` ", Xft_VjpClauseFormat, Xft_VjpHowFormat, "(`reads` $reads^)? ", Xft_VjpRestFormat);
  let extraClassDeclaration = !strconcat(Xft_VjpAccessors, [{
    static VjpSide getSide() { return VjpSide::captures; }
    ::mlir::ValueRange getGradients() { return getDCaptures(); }
    ::mlir::Value getGroups() { return getGrid()[0]; }
    ::mlir::Value getBlocks() { return getGrid()[1]; }
    ::mlir::Value getResidue() { return {}; }
    ::mlir::Value getFlags() { return {}; }
    bool getAssigns() { return false; }
  }]);
}

def Xft_AttendResiduesVjpOp : Xft_Op<"attend_residues_vjp"> {
  let summary = "xft.attend_vjp over a piece of short residues, one in every lane";
  let description = [{
    What xft.attend_vjp adds to d_q, d_k and d_v for such a piece, in the lanes of xft.attend_residues; with `assigns` they
    are written. The grid is (b, group of heads, group of `lanes` residues): a task owns the rows of its residues.

    C1 q, k, v, d_o, d_q, d_k, d_v BxHxNxD with unit inner strides and static D. C2 one piece, which walks queries and keys
    by the same map R a + r, R >= lanes. C3 blocks are multiples of the register tile. C4 `assigns` goes with one solution
    for all heads. C5 data, captures and seed are empty, and so is what uses them.

    ```mlir
    xft.attend_residues_vjp %q, %k, %v, %d_o, %lse, %delta to %d_q, %d_k, %d_v groups %groups
        order <queries = #xf.index_map<residues = 16, period = 16, multiplier = 1>, residues = 16, pieces = [
          #xf.piece<queries = #xf.index_map<residues = 16, period = 16, multiplier = 1>,
                    keys = #xf.index_map<residues = 16, period = 16, multiplier = 1>, residues = 16>]>
        weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32> assigns
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con(Xft_VjpInputs, (ins AnyMemRef:$d_q, AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups), Xft_AttendClauses,
      (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_ResiduesTile:$tile, UnitAttr:$assigns));
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, [{
    $d_q `,` $d_k `,` $d_v `groups` $groups custom<AttendClauses>($clauses, type($clauses))
    `order` $order `weights` $weights `tile` $tile (`assigns` $assigns^)? attr-dict
    `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($lse) `,` type($delta) `,` type($d_q) `,` type($d_k) `,` type($d_v)
  }]);
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, [{
    ::mlir::xf::PieceAttr getPiece() { return getOrder().getPiece(); }
  }]);
}

def Xft_AttendStencilVjpOp : Xft_Op<"attend_stencil_vjp"> {
  let summary = "xft.attend_vjp over a box of a grid around every query, with neighbouring queries in lanes";
  let description = [{
    What xft.attend_vjp adds to d_q, d_k and d_v over all pieces of `order`, the lines of the box of xft.attend_stencil; with
    `assigns` they are written. Group n of lines of a head are the `rows` lines of queries from f + `rows` n on, f =
    min(first line of queries, -first_line), and of keys from f + `rows` n + first_line on: no later line of queries sees
    those. Its queries' P and dS serve these keys and those of the groups that follow.

    The grid is (b, group of heads, strip): a task owns the lines of `strip` groups. It computes P and dS of the lines of
    queries before its own that see its keys, unless the strip before is of the same call. Sums run in the order of lines,
    columns and, for keys, heads, whoever computes them.

    C1 q, k, v, d_o, d_q, d_k, d_v BxHxNxD with unit inner strides and static D. C2 as many pieces as the box has lines,
    with identity maps. C3 sizes of the tile are positive, and its length is at least `lanes`. C4 `assigns` goes with one
    solution for all heads. C5 data, captures and seed are empty, and so is what uses them. C6 `strip` is positive.

    ```mlir
    xft.attend_stencil_vjp %q, %k, %v, %d_o, %lse, %delta to %d_q, %d_k, %d_v groups %groups strip 4
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        weights <scale = 0.125>
        tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5> assigns
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<2x?x?x?xf32>,
          memref<?x?x?xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con(Xft_VjpInputs, (ins AnyMemRef:$d_q, AnyMemRef:$d_k, AnyMemRef:$d_v, Index:$groups, I64Attr:$strip),
      Xft_AttendClauses, (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_StencilTile:$tile, UnitAttr:$assigns));
  let assemblyFormat = !strconcat(Xft_VjpInputFormat, [{
    $d_q `,` $d_k `,` $d_v `groups` $groups `strip` $strip custom<AttendClauses>($clauses, type($clauses))
    `order` $order `weights` $weights `tile` $tile (`assigns` $assigns^)? attr-dict
    `:` type($q) `,` type($k) `,` type($v) `,` type($d_o) `,` type($lse) `,` type($delta) `,` type($d_q) `,` type($d_k) `,` type($d_v)
  }]);
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, [{
    ::mlir::xf::PieceAttr getPiece() { return getOrder().getPiece(); }
  }]);
}

#endif // XFT_ATTEND_VJP_OPS_TD
