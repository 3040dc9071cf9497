//===- XftAttendOps.td - Attention as kernels ---------------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of attention. A *panel* is a block of `width` keys whose outermost dimension is the head dimension. It is
// the operand of a register tile that is loaded as vectors. A *query order* is an order in which pieces of a pattern
// visit the queries. One launch computes all pieces of one query order. The state of the online softmax (maximum m, sum
// l, unnormalised o) is in registers and scratch memory during a launch, and in memory between launches.
//
//===----------------------------------------------------------------------===//

#ifndef XFT_ATTEND_OPS_TD
#define XFT_ATTEND_OPS_TD

include "dialects/xft/IR/XftAttendAttributes.td"

def Xft_GatherPanelsOp : Xft_Op<"gather_panels", []> {
  let summary = "rows of a matrix, gathered through an index map, as panels or as padded rows";
  let description = [{
    For every batch b, head h, residue r and rank a with 0 <= map(r, a) < N, row x[b, h, map(r, a), :] is converted to
    the destination's element type and written,
    - `transposed`: to panel a div W, column a mod W: to[b, h, r, a div W, d * W + a mod W], W = `width`;
    - otherwise: to[b, h, r, a, d], with zeros for d >= D.

    Columns of the last panel that have no row hold any finite or gathered number. For products whose instructions take
    T = `terms` terms, the terms (d of panels, a of rows) go in groups of T, next to each other, that begin where the
    first one would be without groups: d * W + a mod W becomes (d - t) * W + (a mod W) * T + t with t = d mod T. The last
    group is filled up with zeros. The grid is (b, h, r, block of W ranks).

    C1 x is BxHxNxD with unit inner stride. C2 the destination is BxHxRxPx(D'' W), D'' being D in whole groups, or
    BxHxRxCxD' with D' >= D. C3 `width` is a multiple of `terms`.

    ```mlir
    xft.gather_panels %x to %panels by #xf.index_map<> transposed width 16 : memref<?x?x?x64xf32, strided<[?, ?, ?, 1]>>, memref<?x?x1x?x1024xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$x, AnyMemRef:$to, Xft_IndexMap:$map, UnitAttr:$transposed, I64Attr:$width,
      DefaultValuedAttr<I64Attr, "1">:$terms);
  let assemblyFormat = [{
    $x `to` $to `by` $map (`transposed` $transposed^)? `width` $width (`terms` $terms^)? attr-dict `:` type($x) `,` type($to)
  }];
  let hasVerifier = 1;
}

def Xft_TabulateOp : Xft_Op<"tabulate", [AttrSizedOperandSegments]> {
  let summary = "numbers of rows or keys, and their ranges in groups";
  let description = [{
    For every batch b and n in [0, count), with x = n (a key), or with `rows` n + Nk - Nq (a row's position), and d the
    elements n of `inputs`,

        values[b, n] = source[b, at(x)[Nq, Nk, .., d..]], or -1 where there is no such element
        ranges[b, g, 0], ranges[b, g, 1] = the least and the greatest of values[b, g group .. (g + 1) group)

    and -1 behind the last one, up to a whole group, which no range holds. The grid is (b, group). With `part` (p, P), as
    in xf.attention, Nq is P nq, and rows are p nq further on.

    C1 source BxM, values Bx(whole groups), ranges BxGx2, of one integer type. C2 `at` has one dimension and one result;
    symbols 0 and 1 are Nq and Nk, and symbol `symbols`[n] is input n, a buffer like values. C3 part 1x2, of integers.

    ```mlir
    xft.tabulate rows %ids to %values, %ranges count %n nq %nq nk %nk at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 6
        : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$values, AnyMemRef:$ranges, Index:$count, Index:$nq, Index:$nk,
      Optional<AnyMemRef>:$part, Variadic<AnyMemRef>:$inputs, AffineMapAttr:$at, DenseI64ArrayAttr:$symbols,
      I64Attr:$group, UnitAttr:$rows);
  let assemblyFormat = [{
    (`rows` $rows^)? $source `to` $values `,` $ranges `count` $count `nq` $nq `nk` $nk (`part` `(` $part^ `:` type($part) `)`)?
    (`inputs` `(` $inputs^ `:` type($inputs) `)`)? `at` $at `symbols` $symbols `group` $group attr-dict `:` type($source) `,` type($values) `,` type($ranges)
  }];
  let hasVerifier = 1;
}

def Xft_SortListsOp : Xft_Op<"sort_lists", []> {
  let summary = "lists of numbers in increasing order";
  let description = [{
    For every n with n + 1 < O: to[offsets[n]], .., to[offsets[n + 1] - 1] are the same elements of columns, in
    increasing order. Offsets outside [0, M] count as its ends, and a list that would end before it begins is empty. The
    grid is (n).

    C1 offsets O, columns M, to M, of rank 1; columns and to of one integer type and with unit stride.

    ```mlir
    xft.sort_lists %offsets, %columns to %sorted : memref<?xi32>, memref<?xi32>, memref<?xi32>
    ```
  }];
  let arguments = (ins AnyMemRef:$offsets, AnyMemRef:$columns, AnyMemRef:$to);
  let assemblyFormat = "$offsets `,` $columns `to` $to attr-dict `:` type($offsets) `,` type($columns) `,` type($to)";
  let hasVerifier = 1;
}

def Xft_AttendOp : Xft_Op<"attend", [AttrSizedOperandSegments]> {
  let summary = "o = sum of weights v / sum of weights, over pieces that share one order of queries";
  let description = [{
    For the rows i of `order`, over the keys j that each sees, with the scores s of `weights`:

        lse = log sum exp s(i,j),   o = sum exp(s(i,j) - lse) v(j),   with linear weights o = sum s(i,j) v(j)

    A row without keys gives o = 0, lse = -inf. With `resume`, sums go on from the state of an earlier launch; with `save`
    they are left there. The grid is (b, t, r, block of queries, the last one first), with `blocks` blocks.

    C1 q BxHxNqxD, o BxHxNqxDv with unit inner strides and static D, Dv. C2 a buffer of keys and values for each piece,
    unless they are in place. C3 `sums` with `save` or `resume`. C4 `kept` without `save` and linear weights. C5 blocks
    are multiples of the register tile. C6 linear weights have a score region and no lse. C7 two `data` a datum. C8
    one k and one v if in place, of rank 4 with unit inner stride. C9 tiles that gather have whole panels.
    C10 #xft.warpgroup_tiles have `flags`, no linear weights, not both `save` and
    `resume`. C11 `operand` of the schedule is a 16-bit float, the element type of q. C12 tiles that
    gather without residues have keys in order, a power of two of panels, and values in whole registers or, with `operand`,
    a ring of whole blocks of keys.

    ```mlir
    xft.attend %q to %o blocks %blocks nk %nk keys(%keys : memref<?x?x1x?x1024xf32>) values(%values : memref<?x?x?x64xf32>)
        lse(%lse : memref<?x?x?xf64>)
        order <queries = #xf.index_map<>, buffers = [0], pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        schedule #xft.register_tiles<tile = #xft.attend_tile<rows = 6, registers = 2, lanes = 8, queries = 48, keys = 256>>
        weights <scale = 0.125>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$o, Index:$blocks, Index:$nk, Variadic<AnyMemRef>:$keys,
      Variadic<AnyMemRef>:$values), Xft_RowState, Xft_AttendClauses, (ins Optional<AnyMemRef>:$flags,
      Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_Schedule:$schedule, UnitAttr:$resume, UnitAttr:$save));
  let regions = (region MaxSizedRegion<1>:$score);
  let assemblyFormat = [{
    $q `to` $o `blocks` $blocks `nk` $nk (`keys` `(` $keys^ `:` type($keys) `)`)? (`values` `(` $values^ `:` type($values) `)`)?
    custom<RowState>($state, type($state)) custom<AttendClauses>($clauses, type($clauses)) (`flags` `(` $flags^ `:` type($flags) `)`)?
    `order` $order `schedule` $schedule `weights` $weights (`resume` $resume^)? (`save` $save^)? (`score` $score^)? attr-dict
    `:` type($q) `,` type($o)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, Xft_ScheduleAccessors, Xft_RowStateAccessors, [{
    ::mlir::xf::IndexMapAttr getQueries() { return getOrder().getQueries(); }
    int64_t getResidues() { return getOrder().getResidues(); }
    ::llvm::ArrayRef<int64_t> getBuffers() { return getOrder().getBufferNumbers(); }
    /// The largest number of ranks in a residue whose keys a task packs itself; 0 if tasks pack no keys.
    int64_t getGathered();
  }]);
}

def Xft_AttendResiduesOp : Xft_Op<"attend_residues", [AttrSizedOperandSegments]> {
  let summary = "xft.attend over a piece of short residues, one in every lane";
  let description = [{
    What xft.attend computes for one piece whose residues are r, r + R, r + 2R and so on of queries and keys alike.
    Neighbours are rows of different residues, so that a register holds an element of each: no pair of a lane waits for
    those of another, no tile is rounded to registers, and rows are read and written as they lie.

    The grid is (b, t, group of `lanes` residues). A row that saw no key gives o = 0, lse = -inf. `save` and the row state
    are as for xft.attend.

    C1 q, k, v, o BxHxNxD with unit inner strides and static D. C2 one piece, which walks queries and keys by the same map
    R a + r, R >= lanes. C3 blocks are multiples of the register tile. C4 `sums` (m, l) with `save`, and not `kept` then.
    C5 data, captures and seed are empty, and so is what uses them.

    ```mlir
    xft.attend_residues %x, %x, %x to %x
        order <queries = #xf.index_map<residues = 16, period = 16, multiplier = 1>, residues = 16, pieces = [
          #xf.piece<queries = #xf.index_map<residues = 16, period = 16, multiplier = 1>,
                    keys = #xf.index_map<residues = 16, period = 16, multiplier = 1>, residues = 16>]>
        weights <scale = 0.125> tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 32>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o), Xft_RowState, Xft_AttendClauses,
      (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_ResiduesTile:$tile, UnitAttr:$save));
  let assemblyFormat = [{
    $q `,` $k `,` $v `to` $o custom<RowState>($state, type($state)) custom<AttendClauses>($clauses, type($clauses))
    `order` $order `weights` $weights `tile` $tile (`save` $save^)? attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, Xft_RowStateAccessors, [{
    ::mlir::xf::PieceAttr getPiece() { return getOrder().getPiece(); }
  }]);
}

def Xft_AttendStencilOp : Xft_Op<"attend_stencil", [AttrSizedOperandSegments]> {
  let summary = "xft.attend over a box of a grid around every query, with neighbouring queries in lanes";
  let description = [{
    What xft.attend computes where query i sees, of the box of `tile` around it, the keys that exist. Piece n of `order` is
    line n of the box: its bounds are not read. Lanes that hold neighbouring queries share the shift from query to key, so
    that a register of keys, transposed, is a load at an address shifted by one element; no pair outside of the box is
    computed. Keys and values are transposed by the task that uses them first, and left to the next task of the same call.

    The grid is (b, t, group of `rows` lines).

    C1 q, k, v, o BxHxNxD with unit inner strides and static D. C2 as many pieces as the box has lines, with identity maps.
    C3 sizes of the tile are positive, and its length is at least `lanes`. C4 data, captures and seed are empty, and so is
    what uses them. C5 no `sums`.

    ```mlir
    xft.attend_stencil %x, %x, %x to %x
        order <queries = #xf.index_map<>, pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>>]>
        weights <scale = 0.125>
        tile <rows = 1, columns = 4, lanes = 8, length = 32, first_line = 0, lines = 1, first_shift = -2, shifts = 5>
        : memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>, memref<?x?x?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyMemRef:$q, AnyMemRef:$k, AnyMemRef:$v, AnyMemRef:$o), Xft_RowState, Xft_AttendClauses,
      (ins Xft_QueryOrder:$order, Xft_Weights:$weights, Xft_StencilTile:$tile));
  let assemblyFormat = [{
    $q `,` $k `,` $v `to` $o custom<RowState>($state, type($state)) custom<AttendClauses>($clauses, type($clauses))
    `order` $order `weights` $weights `tile` $tile attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($o)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Xft_AttendAccessors, Xft_RowStateAccessors, [{
    ::mlir::xf::PieceAttr getPiece() { return getOrder().getPiece(); }
  }]);
}

#endif // XFT_ATTEND_OPS_TD
